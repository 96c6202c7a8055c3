// What is announced is what others can reach, and the rest is explained.
#include "daemon/announcement.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

std::vector<InterfaceAddress> server() {
  const auto address = [](const char* interface, const char* ip) {
    return InterfaceAddress{interface, IpAddress::parse(ip).value()};
  };
  return {address("lo", "127.0.0.1"),       address("lo", "::1"),
          address("eth0", "192.0.2.7"),     address("eth0", "2001:db8::7"),
          address("eth0", "fe80::7"),       address("wlan0", "169.254.3.4"),
          address("docker0", "172.17.0.1"), address("br-3f1c", "172.18.0.1")};
}

TEST(Announcement, TakesTheAddressesThatOthersCanReach) {
  EXPECT_EQ(choose_announcement({"auto"}, server()).to_string(),
            "192.0.2.7 (eth0), 2001:db8::7 (eth0); not 127.0.0.1 (lo: loopback), ::1 (lo: "
            "loopback), fe80::7 (eth0: link-local), 169.254.3.4 (wlan0: link-local), 172.17.0.1 "
            "(docker0: container bridge), 172.18.0.1 (br-3f1c: container bridge)");
}

TEST(Announcement, TakesWhatIsConfiguredAsItIs) {
  EXPECT_EQ(choose_announcement({"203.0.113.5", "relay.example"}, server()).to_string(),
            "203.0.113.5 (as configured), relay.example (as configured)");
}

TEST(Announcement, NamesAnAddressOnce) {
  const auto both = choose_announcement({"192.0.2.7", "auto", "auto"}, server());
  ASSERT_EQ(both.announced.size(), 2u);
  EXPECT_EQ(both.announced[0].why, "as configured");
  EXPECT_EQ(both.announced[1].address, "2001:db8::7");
}

TEST(Announcement, SaysWhenThereIsNothing) {
  EXPECT_EQ(choose_announcement({"auto"}, {}).to_string(), "nothing");
}

TEST(InterfaceAddresses, IncludeLoopback) {
  const auto addresses = interface_addresses();
  const bool any = std::any_of(addresses.begin(), addresses.end(),
                               [](const auto& entry) { return entry.address.is_loopback(); });
  if (addresses.empty()) GTEST_SKIP() << "no interface is up here";
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace runnel::daemon
