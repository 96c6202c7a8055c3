#include "core/relay/failure_notices.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

const Timestamp kStart{1h};

SocketAddress address(std::uint16_t port) {
  return {IpAddress::v4({192, 0, 2, 1}), port};
}

TEST(FailureNotices, an_address_is_named_once_until_it_succeeds) {
  FailureNotices notices;
  EXPECT_TRUE(notices.failed(kStart, address(1)));
  EXPECT_FALSE(notices.failed(kStart + 1h, address(1)));
  notices.succeeded(address(2));
  EXPECT_FALSE(notices.failed(kStart + 2h, address(1)));
  notices.succeeded(address(1));
  EXPECT_TRUE(notices.failed(kStart + 3h, address(1)));
}

TEST(FailureNotices, never_two_within_the_interval) {
  FailureNotices notices;
  EXPECT_TRUE(notices.failed(kStart, address(1)));
  EXPECT_FALSE(notices.failed(kStart + 10s - 1ns, address(2)));
  EXPECT_TRUE(notices.failed(kStart + 10s, address(2)));
}

TEST(FailureNotices, the_fifth_address_displaces_the_first) {
  FailureNotices notices;
  Timestamp now = kStart;
  for (std::uint16_t port = 1; port <= 4; ++port)
    EXPECT_TRUE(notices.failed(now += 1min, address(port)));
  for (std::uint16_t port = 1; port <= 4; ++port)
    EXPECT_FALSE(notices.failed(now += 1min, address(port)));
  EXPECT_TRUE(notices.failed(now += 1min, address(5)));
  EXPECT_FALSE(notices.failed(now += 1min, address(4)));
  EXPECT_TRUE(notices.failed(now += 1min, address(1)));
}

}  // namespace
}  // namespace runnel::relay
