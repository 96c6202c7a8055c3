// Where a client is told that peer connections can reach this server.
#include "core/session/candidates.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SocketAddress at(std::string_view text) {
  return SocketAddress::parse(text).value();
}
const IpAddress kFar = IpAddress::parse("198.51.100.7").value();
const IpAddress kHere = IpAddress::parse("127.0.0.1").value();

DeskSettings on_all_addresses() {
  DeskSettings settings;
  settings.media_ports = {{relay::PortIndex{0}, at("0.0.0.0:7000")},
                          {relay::PortIndex{1}, at("[::]:7000")}};
  return settings;
}

TEST(Candidates, AreAllThatIsAnnouncedWithThePortOfTheFamily) {
  DeskSettings settings = on_all_addresses();
  settings.addresses = {"203.0.113.1", "2001:db8::1", "10.0.0.5", "media.example.org"};
  settings.webrtc.tcp_ports = {at("0.0.0.0:8080")};
  EXPECT_THAT(candidates_for(settings, kFar),
              ElementsAre(HasSubstr(" udp "), HasSubstr(" udp "), HasSubstr(" udp "),
                          HasSubstr(" tcp "), HasSubstr(" tcp ")));
  EXPECT_THAT(candidates_for(settings, kFar),
              testing::IsSupersetOf({HasSubstr(" 203.0.113.1 7000 typ host"),
                                     HasSubstr(" 2001:db8::1 7000 typ host"),
                                     HasSubstr(" 10.0.0.5 8080 typ host tcptype passive")}));
}

TEST(Candidates, AreTheBoundAddressWhereNoneIsAnnounced) {
  DeskSettings settings;
  settings.media_ports = {{relay::PortIndex{0}, at("192.0.2.1:7000")}};
  EXPECT_THAT(candidates_for(settings, kFar), ElementsAre(HasSubstr(" 192.0.2.1 7000 ")));
  settings.addresses = {"203.0.113.1"};
  EXPECT_THAT(candidates_for(settings, kFar), ElementsAre(HasSubstr(" 203.0.113.1 7000 ")));
}

TEST(Candidates, TellTheLoopbackAddressOnThisMachineOnly) {
  DeskSettings settings = on_all_addresses();
  settings.addresses = {"203.0.113.1"};
  EXPECT_THAT(candidates_for(settings, kFar), ElementsAre(HasSubstr("203.0.113.1")));
  EXPECT_THAT(candidates_for(settings, kHere),
              ElementsAre(HasSubstr("203.0.113.1"), HasSubstr("127.0.0.1"), HasSubstr(" ::1 ")));
}

TEST(Candidates, TellTheLoopbackAddressWhenThereIsNothingElse) {
  EXPECT_THAT(candidates_for(on_all_addresses(), kFar),
              ElementsAre(HasSubstr("127.0.0.1"), HasSubstr(" ::1 ")));
}

}  // namespace
}  // namespace runnel::session
