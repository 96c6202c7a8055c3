// The sentences that an operator reads, each whole.
#include "daemon/event_log.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/entropy.h"
#include "tests/unit/daemon/configured.h"

namespace runnel::daemon {
namespace {

using config::LogLevel;
using testing::Contains;

const SocketAddress kSource{IpAddress::v4({192, 0, 2, 7}), 50004};
constexpr relay::ReceiverMediumId kFirstOutput{0, 0, 1};

class EventLogTest : public testing::Test {
 protected:
  LogLine line(const relay::Event& event) { return describe(event, config_, engine_); }
  std::string sentence(const relay::Event& event) { return line(event).message; }

  config::Config config_ = configured(kCamera);
  SystemRandom random_;
  relay::Engine engine_{{}, random_};
};

TEST_F(EventLogTest, TellsOfASource) {
  EXPECT_EQ(sentence(relay::TrackStarted{0, 0, 0x1234abcd, kSource}),
            "camera-1: video has started, from 192.0.2.7:50004 with SSRC 0x1234abcd");
  EXPECT_EQ(
      sentence(relay::SourceRestarted{0, 1, 1, 0xffffffff, kSource}),
      "camera-1: audio goes on: the source at 192.0.2.7:50004 has a new SSRC, 0xffffffff after "
      "0x00000001; receivers notice nothing");
  EXPECT_EQ(sentence(relay::SourceRestarted{0, 1, 7, 7, kSource}),
            "camera-1: audio goes on: the source at 192.0.2.7:50004 begins anew under its SSRC "
            "0x00000007; receivers notice nothing");
  EXPECT_EQ(sentence(relay::TrackStalled{0, 0}),
            "camera-1: video has stalled: nothing has arrived for 5 s");
  EXPECT_EQ(sentence(relay::TrackResumed{0, 0}), "camera-1: video flows again");
  EXPECT_EQ(sentence(relay::TrackEnded{0, 0, relay::EndReason::goodbye}),
            "camera-1: video has ended: the source said goodbye");
  EXPECT_EQ(sentence(relay::TrackEnded{0, 0, relay::EndReason::silence}),
            "camera-1: video has ended: the source was silent for 30 s");
  EXPECT_EQ(sentence(relay::AuthenticationFailing{0, 0, kSource}),
            "camera-1: video packets from 192.0.2.7:50004 fail authentication; does the sender use "
            "this key and this suite?");
}

TEST_F(EventLogTest, TellsOfAReceiver) {
  EXPECT_EQ(sentence(relay::ReceiverLatched{kFirstOutput, kSource}),
            "camera-1 output 1: audio goes to 192.0.2.7:50004, where its first authenticated "
            "packet came from");
  EXPECT_EQ(sentence(relay::ReceiverLeft{kFirstOutput}),
            "camera-1 output 1: the receiver of audio at 198.51.100.9:6002 said goodbye");
  EXPECT_EQ(sentence(relay::ReceiverUnreachable{{0, 1, 0}}),
            "camera-1 output 2: the network cannot reach the receiver of audio at "
            "player.example:7006; does it run, and is its port open?");
  EXPECT_EQ(sentence(relay::KeyExpired{kFirstOutput}),
            "camera-1 output 1: the key for audio has protected as many packets as it may, and "
            "nothing more is sent; configure a new key");
}

TEST_F(EventLogTest, LeavesTheAddressOfALatchedReceiverOut) {
  config_.relays[0].to[0].media[1].send.reset();
  EXPECT_EQ(sentence(relay::ReceiverLeft{kFirstOutput}),
            "camera-1 output 1: the receiver of audio said goodbye");
  EXPECT_EQ(sentence(relay::ReceiverLeft{kFirstOutput, relay::LeaveReason::silence}),
            "camera-1 output 1: the receiver of audio no longer reports; its place is free for "
            "another");
  EXPECT_EQ(sentence(relay::ReceiverLeft{kFirstOutput, relay::LeaveReason::unreachable}),
            "camera-1 output 1: the receiver of audio is no longer there, says the network; its "
            "place is free for another");
}

TEST_F(EventLogTest, WarnsOfWhatNeedsSomebody) {
  EXPECT_EQ(line(relay::TrackStarted{}).level, LogLevel::info);
  EXPECT_EQ(line(relay::TrackStalled{}).level, LogLevel::warning);
  EXPECT_EQ(line(relay::TrackEnded{0, 0, relay::EndReason::goodbye}).level, LogLevel::info);
  EXPECT_EQ(line(relay::TrackEnded{0, 0, relay::EndReason::silence}).level, LogLevel::warning);
  EXPECT_EQ(line(relay::ReceiverUnreachable{}).level, LogLevel::warning);
  EXPECT_EQ(line(relay::KeyExpired{}).level, LogLevel::error);
}

TEST_F(EventLogTest, GivesMachinesTheSameFacts) {
  const LogLine started = line(relay::TrackStarted{0, 0, 7, kSource});
  EXPECT_THAT(started.fields, Contains(LogField("event", "track_started")));
  EXPECT_THAT(started.fields, Contains(LogField("stream", "camera-1")));
  EXPECT_THAT(started.fields, Contains(LogField("track", "video")));
  EXPECT_THAT(started.fields, Contains(LogField("source", "192.0.2.7:50004")));
  EXPECT_THAT(started.fields, Contains(LogField("ssrc", 7u)));
  const LogLine unreachable = line(relay::ReceiverUnreachable{{0, 1, 0}});
  EXPECT_THAT(unreachable.fields, Contains(LogField("output", 2u)));
  EXPECT_THAT(unreachable.fields, Contains(LogField("destination", "player.example:7006")));
}

}  // namespace
}  // namespace runnel::daemon
