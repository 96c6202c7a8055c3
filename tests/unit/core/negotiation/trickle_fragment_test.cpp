#include "core/negotiation/trickle_fragment.h"

#include <gmock/gmock.h>
#include <string>

#include <gtest/gtest.h>

namespace runnel::negotiation {
namespace {

using testing::ElementsAre;

// RFC 9725 §4.3.1, figure 5
TEST(TrickleFragment, OfRfc9725) {
  const auto fragment = parse_trickle_fragment(
      "a=group:BUNDLE 0 1\r\n"
      "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"
      "a=mid:0\r\n"
      "a=ice-ufrag:EsAw\r\n"
      "a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1\r\n"
      "a=candidate:1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0 ufrag EsAw "
      "network-id 1\r\n"
      "a=candidate:3471623853 1 udp 2122194687 198.51.100.2 61765 typ host generation 0 ufrag EsAw "
      "network-id 2\r\n"
      "a=end-of-candidates\r\n");
  ASSERT_TRUE(fragment);
  EXPECT_EQ(fragment->ufrag, "EsAw");
  EXPECT_EQ(fragment->password, "P2uYro0UCOQ4zxjKXaWCBui1");
  EXPECT_EQ(fragment->candidates.size(), 2u);
  EXPECT_TRUE(fragment->end_of_candidates);
}

TEST(TrickleFragment, TakesNamesAndTheEmptyCandidate) {
  const auto fragment = parse_trickle_fragment(
      "a=ice-ufrag:EsAw\na=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1\nm=audio 9 RTP/AVP 0\na=mid:0\n"
      "a=candidate:1 1 udp 1 2c0ca1ad.local 5000 typ host\na=candidate:\n");
  ASSERT_TRUE(fragment);
  EXPECT_THAT(fragment->candidates, ElementsAre("1 1 udp 1 2c0ca1ad.local 5000 typ host", ""));
  EXPECT_FALSE(fragment->end_of_candidates);
}

TEST(TrickleFragment, ErrorsNameTheLine) {
  const auto wrong = parse_trickle_fragment("a=ice-options:trickle\r\na=ice-ufrag:E\r\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line, 2u);
  EXPECT_FALSE(parse_trickle_fragment("{}"));
}

TEST(TrickleFragment, SizeHasALimit) {
  std::string text;
  while (text.size() < 64 * 1024) text += "a=candidate:" + std::string(50, 'x') + "\r\n";
  ASSERT_EQ(text.size(), 64u * 1024);
  EXPECT_TRUE(parse_trickle_fragment(text));
  EXPECT_FALSE(parse_trickle_fragment(text + "\n"));
}

TEST(TrickleFragment, OfOursHasNewCredentialsAndAllCandidates) {
  const LocalTransport local{.ufrag = "again",
                             .password = "again0123456789abcdefghi",
                             .fingerprints = {},
                             .candidates = {"1 1 udp 1 192.0.2.1 7000 typ host"}};
  const std::string text = write_trickle_fragment(local, "audio", "0");
  const auto read = parse_trickle_fragment(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ufrag, "again");
  EXPECT_EQ(read->password, "again0123456789abcdefghi");
  EXPECT_EQ(read->candidates, local.candidates);
  EXPECT_TRUE(read->end_of_candidates);
  EXPECT_NE(text.find("m=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\n"), std::string::npos);
}

}  // namespace
}  // namespace runnel::negotiation
