#include "core/ice/candidate.h"

#include <gtest/gtest.h>

namespace runnel::ice {
namespace {

SocketAddress address(const char* text) {
  return *SocketAddress::parse(text);
}

TEST(Candidate, Rfc8445Section5_1_2Priority) {
  // RFC 8839 §4.4 and the examples of RFC 8445 §15: a host and a server reflexive candidate.
  EXPECT_EQ(candidate_priority(126, 65535), 2130706431u);
  EXPECT_EQ(candidate_priority(100, 65535), 1694498815u);
  EXPECT_EQ(candidate_priority(126, 65535, 2), 2130706430u);
}

TEST(Candidate, LinesAsInSdp) {
  const std::vector udp{address("192.0.2.1:7000"), address("[2001:db8::1]:7000")};
  const std::vector tcp{address("192.0.2.1:8443")};
  const auto candidates = host_candidates(udp, tcp);
  ASSERT_EQ(candidates.size(), 3u);
  EXPECT_EQ(candidates[0].to_string(), "1 1 udp 2130706431 192.0.2.1 7000 typ host");
  EXPECT_EQ(candidates[1].to_string(), "2 1 udp 2130706175 2001:db8::1 7000 typ host");
  EXPECT_EQ(candidates[2].to_string(),
            "3 1 tcp 2124414975 192.0.2.1 8443 typ host tcptype passive");
}

TEST(Candidate, Rfc8445Section5_1_1_3FoundationsAreOfAddressAndTransport) {
  const std::vector udp{address("192.0.2.1:7000"), address("192.0.2.1:7001"),
                        address("192.0.2.2:7000")};
  const std::vector tcp{address("192.0.2.2:7000"), address("192.0.2.2:7001")};
  const auto candidates = host_candidates(udp, tcp);
  ASSERT_EQ(candidates.size(), 5u);
  EXPECT_EQ(candidates[0].foundation, candidates[1].foundation);
  EXPECT_NE(candidates[0].foundation, candidates[2].foundation);
  EXPECT_NE(candidates[2].foundation, candidates[3].foundation);
  EXPECT_EQ(candidates[3].foundation, candidates[4].foundation);
}

TEST(Candidate, RepeatedAddressesAreLeftOut) {
  const std::vector udp{address("192.0.2.1:7000"), address("192.0.2.2:7000"),
                        address("192.0.2.1:7000"), address("[::ffff:192.0.2.2]:7000")};
  EXPECT_EQ(host_candidates(udp, {}).size(), 2u);
}

TEST(Candidate, PrioritiesDifferAndEveryUdpOneIsAboveEveryTcpOne) {
  std::vector<SocketAddress> many;
  for (std::uint16_t port = 1; port <= 257; ++port) {
    many.push_back({*IpAddress::parse("192.0.2.1"), port});
  }
  const auto candidates = host_candidates(many, many);
  ASSERT_EQ(candidates.size(), 2u * 256u);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    ASSERT_LT(candidates[i].priority, candidates[i - 1].priority);
  }
}

}  // namespace
}  // namespace runnel::ice
