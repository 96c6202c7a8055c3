#include "daemon/health_check.h"

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

// As Linux printed them, with 127.0.0.1:7000 idle and [::1]:7000 holding 0x1500 bytes.
constexpr std::string_view kIpv4Table =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode ref pointer drops\n"
    " 1001: 0100007F:1B58 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 "
    "25731 2 0000000000000000 0\n";
constexpr std::string_view kIpv6Table =
    "  sl  local_address                         remote_address                        st tx_queue "
    "rx_queue\n"
    " 1002: 00000000000000000000000001000000:1B58 00000000000000000000000000000000:0000 07 "
    "00000000:00001500 00:00000000 00000000     0        0 25732 2 0000000000000000 0\n";

SocketAddress address(std::string_view text) {
  return *SocketAddress::parse(text);
}

std::vector<BoundPort> waiting(std::uint64_t bytes) {
  return {{address("127.0.0.1:7000"), bytes}};
}

TEST(HealthCheck, ReadsTheKernelsTables) {
  EXPECT_EQ(parse_bound_ports(kIpv4Table),
            (std::vector<BoundPort>{{address("127.0.0.1:7000"), 0}}));
  EXPECT_EQ(parse_bound_ports(kIpv6Table),
            (std::vector<BoundPort>{{address("[::1]:7000"), 0x1500}}));
}

TEST(HealthCheck, LeavesOutWhatItCannotRead) {
  EXPECT_TRUE(parse_bound_ports("").empty());
  EXPECT_TRUE(parse_bound_ports("rubbish\n\n 1: x:y z:0 07 0:0\n 2: 0100007F 0 07 0 0\n").empty());
}

TEST(HealthCheck, APortThatNobodyListensOnIsAnAilment) {
  const auto ailment = find_ailment({address("127.0.0.1:7001")}, {waiting(0), waiting(0)});
  EXPECT_EQ(ailment, "nobody listens on 127.0.0.1:7001");
}

TEST(HealthCheck, AQueueThatOnlyGrowsIsAnAilment) {
  const std::vector<SocketAddress> expected{address("127.0.0.1:7000")};
  EXPECT_EQ(find_ailment(expected, {waiting(10), waiting(10), waiting(20)}),
            "datagrams wait at 127.0.0.1:7000 and nobody takes them");
}

TEST(HealthCheck, ABusyPortIsHealthyAsLongAsItsQueueShrinksAtTimes) {
  const std::vector<SocketAddress> expected{address("127.0.0.1:7000")};
  EXPECT_EQ(find_ailment(expected, {waiting(10), waiting(0), waiting(20)}), std::nullopt);
  EXPECT_EQ(find_ailment(expected, {waiting(30), waiting(20), waiting(20)}), std::nullopt);
  EXPECT_EQ(find_ailment(expected, {waiting(0), waiting(0), waiting(0)}), std::nullopt);
}

}  // namespace
}  // namespace runnel::daemon
