// Each port once, and shared where several receivers meet on it.
#include "daemon/port_plan.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/daemon/configured.h"

namespace runnel::daemon {
namespace {

using testing::ElementsAre;

std::vector<std::string> addresses(const PortPlan& plan) {
  std::vector<std::string> list;
  for (const PlannedPort& port : plan.ports()) {
    list.push_back(port.address.to_string() + (port.shared ? " shared" : ""));
  }
  return list;
}

config::Endpoint endpoint(const char* host) {
  return {.host = host, .port = 6000, .origin = {}};
}

TEST(PortPlan, ListsMediaPortsThenThoseOfTheRelays) {
  const PortPlan plan(configured(kCamera), true);
  EXPECT_THAT(addresses(plan),
              ElementsAre("127.0.0.1:7000 shared", "[::1]:7000 shared", "127.0.0.1:5004",
                          "127.0.0.1:5005", "127.0.0.1:5006", "127.0.0.1:5007"));
}

TEST(PortPlan, RemembersWhereAPortWasWritten) {
  const PortPlan plan(configured(kCamera), true);
  EXPECT_EQ(plan.ports()[0].origin.key, "listen.media[0]");
  EXPECT_EQ(plan.ports()[3].origin.key, "relays[0].from.srtp.media[0].listen");
  EXPECT_EQ(plan.ports()[3].origin.line, 10);
}

TEST(PortPlan, FindsAPortByItsAddress) {
  const PortPlan plan(configured(kCamera), true);
  EXPECT_EQ(plan.find(SocketAddress::parse("127.0.0.1:5006").value()), relay::PortIndex{4});
  EXPECT_FALSE(plan.find(SocketAddress::parse("127.0.0.2:5006").value()));
}

TEST(PortPlan, SendsFromTheMediaPortOfTheDestinationsFamily) {
  const PortPlan plan(configured(kCamera), true);
  EXPECT_EQ(plan.media_port_for(endpoint("198.51.100.9")), relay::PortIndex{0});
  EXPECT_EQ(plan.media_port_for(endpoint("2001:db8::7")), relay::PortIndex{1});
  EXPECT_EQ(plan.media_port_for(endpoint("player.example")), relay::PortIndex{0});
}

TEST(PortPlan, LeavesOutIpv6WildcardsWithoutIpv6) {
  const PortPlan plan(configured("relays: []"), false);
  EXPECT_THAT(addresses(plan), ElementsAre("0.0.0.0:7000 shared"));
  EXPECT_FALSE(plan.media_port_for(endpoint("2001:db8::7")));
  const PortPlan explicit_address(configured("listen: {media: '[::1]:7000'}"), false);
  EXPECT_THAT(addresses(explicit_address), ElementsAre("[::1]:7000 shared"));
}

TEST(PortPlan, SharesAPortThatTwoReceiversListenOn) {
  const PortPlan plan(configured(R"(
listen: {media: "127.0.0.1:7000"}
relays:
  - stream: a
    from: {rtp: {media: [{kind: audio, payload_type: 0, listen: "127.0.0.1:5004"}]}}
    to:
      - rtp: {media: [{kind: audio, send: "198.51.100.1:6000", listen: "127.0.0.1:8000"}]}
      - rtp: {media: [{kind: audio, send: "198.51.100.2:6000", listen: "127.0.0.1:8000"}]}
      - rtp: {media: [{kind: audio, send: "198.51.100.3:6000", listen: "127.0.0.1:8002"}]}
)"),
                      true);
  EXPECT_THAT(addresses(plan),
              ElementsAre("127.0.0.1:7000 shared", "127.0.0.1:5004", "127.0.0.1:5005",
                          "127.0.0.1:8000 shared", "127.0.0.1:8001 shared", "127.0.0.1:8002",
                          "127.0.0.1:8003"));
}

}  // namespace
}  // namespace runnel::daemon
