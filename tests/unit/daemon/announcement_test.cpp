// What is announced is what others can reach, and the rest is explained.
#include "daemon/announcement.h"

#include <algorithm>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

IpAddress ip(const char* text) {
  return IpAddress::parse(text).value();
}

const std::vector<IpAddress> kEverywhere{ip("0.0.0.0"), ip("::")};

Surroundings server(const std::vector<IpAddress>& bound = kEverywhere) {
  return {.interfaces = {{"lo", ip("127.0.0.1")},
                         {"lo", ip("::1")},
                         {"eth0", ip("192.0.2.7")},
                         {"eth0", ip("2001:db8::7")},
                         {"eth0", ip("fe80::7")},
                         {"wlan0", ip("169.254.3.4")},
                         {"docker0", ip("172.17.0.1")},
                         {"br-3f1c", ip("172.18.0.1")}},
          .bound = bound,
          .names = {}};
}

TEST(Announcement, TakesTheAddressesThatOthersCanReach) {
  EXPECT_EQ(choose_announcement({"auto"}, server()).to_string(),
            "192.0.2.7 (eth0), 2001:db8::7 (eth0); not 127.0.0.1 (lo: loopback), ::1 (lo: "
            "loopback), fe80::7 (eth0: link-local), 169.254.3.4 (wlan0: link-local), 172.17.0.1 "
            "(docker0: container bridge), 172.18.0.1 (br-3f1c: container bridge)");
}

TEST(Announcement, TakesWhatIsConfiguredWhereverThePortsAreBound) {
  EXPECT_EQ(
      choose_announcement({"203.0.113.5", "2001:db8::5"}, server({ip("10.0.0.1")})).to_string(),
      "203.0.113.5 (as configured), 2001:db8::5 (as configured)");
}

TEST(Announcement, TakesTheInterfacesThatAreListenedOnAlone) {
  EXPECT_EQ(choose_announcement({"auto"}, server({ip("0.0.0.0")})).addresses(),
            std::vector{ip("192.0.2.7")});
  const auto one = choose_announcement({"auto"}, server({ip("2001:db8::7")}));
  EXPECT_EQ(one.addresses(), std::vector{ip("2001:db8::7")});
  EXPECT_THAT(one.to_string(), HasSubstr("192.0.2.7 (eth0: not listened on)"));
}

TEST(Announcement, TakesLoopbackWhereThereIsNothingElse) {
  Surroundings alone = server();
  alone.interfaces.resize(2);
  EXPECT_EQ(choose_announcement({"auto"}, alone).to_string(),
            "127.0.0.1 (lo: for this machine alone), ::1 (lo: for this machine alone)");
  EXPECT_EQ(choose_announcement({"auto"}, server({ip("127.0.0.1")})).addresses(),
            std::vector{ip("127.0.0.1")});
}

TEST(Announcement, TakesEveryAddressOfANameOnceItIsKnown) {
  Surroundings surroundings = server();
  const std::vector<std::string> entries{"relay.runnel.test", "203.0.113.5"};
  EXPECT_EQ(choose_announcement(entries, surroundings).to_string(),
            "203.0.113.5 (as configured); not relay.runnel.test (its address is not known)");
  surroundings.names["relay.runnel.test"] = {ip("203.0.113.5"), ip("2001:db8::5")};
  EXPECT_EQ(choose_announcement(entries, surroundings).to_string(),
            "203.0.113.5 (relay.runnel.test), 2001:db8::5 (relay.runnel.test)");
}

TEST(Announcement, NamesAnAddressOnce) {
  const auto both = choose_announcement({"192.0.2.7", "auto", "auto"}, server());
  ASSERT_THAT(both.announced, SizeIs(2));
  EXPECT_EQ(both.announced[0].why, "as configured");
  EXPECT_EQ(both.announced[1].address, ip("2001:db8::7"));
  EXPECT_THAT(both.left_out, SizeIs(6));
}

TEST(Announcement, HasALimit) {
  Surroundings surroundings = server();
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < Announcement::kMost; ++i) {
    entries.push_back("203.0.113." + std::to_string(i));
  }
  EXPECT_THAT(choose_announcement(entries, surroundings).left_out, SizeIs(0));
  entries.push_back("203.0.113.200");
  const auto announcement = choose_announcement(entries, surroundings);
  EXPECT_THAT(announcement.announced, SizeIs(Announcement::kMost));
  EXPECT_THAT(announcement.to_string(), HasSubstr("; not 203.0.113.200 (too many)"));
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
