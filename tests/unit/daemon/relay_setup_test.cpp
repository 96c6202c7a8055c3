// The engine is told what the configuration says.
#include "daemon/relay_setup.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/entropy.h"
#include "tests/unit/daemon/configured.h"

namespace runnel::daemon {
namespace {

using testing::IsEmpty;

std::optional<SocketAddress> address(const char* text) {
  return SocketAddress::parse(text);
}

TEST(RelaySetup, TranslatesSourceAndReceivers) {
  const config::Config config = configured(kCamera);
  const PortPlan plan(config, true);
  const auto setup = describe_relays(config, plan);
  ASSERT_TRUE(setup);
  ASSERT_EQ(setup->relays.size(), 1u);
  const relay::RelayDescription& relay = setup->relays[0];
  EXPECT_EQ(relay.stream, "camera-1");
  ASSERT_EQ(relay.from.media.size(), 2u);
  EXPECT_EQ(relay.from.media[1].name, "audio");
  EXPECT_EQ(relay.from.media[1].payload_type, 111);
  EXPECT_EQ(relay.from.media[1].ports.rtp, relay::PortIndex{4});
  EXPECT_EQ(relay.from.media[1].ports.rtcp, relay::PortIndex{5});
  ASSERT_TRUE(relay.from.srtp);
  EXPECT_TRUE(relay.from.srtp->media_keys.at(0).same_key(config.relays[0].from.srtp->keys.at(0)));
  EXPECT_EQ(relay.from.srtp->replay_window, config.limits.replay_window);

  ASSERT_EQ(relay.to.size(), 2u);
  const relay::ReceiverMedium& video = relay.to[0].media.at(0);
  EXPECT_EQ(video.ports.rtp, relay::PortIndex{1}) << "the IPv6 media port";
  EXPECT_FALSE(video.ports.rtcp);
  EXPECT_EQ(video.rtp_destination, address("[2001:db8::7]:6000"));
  EXPECT_EQ(video.rtcp_destination, address("[2001:db8::7]:6000"));
  const relay::ReceiverMedium& audio = relay.to[0].media.at(1);
  EXPECT_EQ(audio.source, 1u);
  EXPECT_EQ(audio.ports.rtp, relay::PortIndex{0}) << "the IPv4 media port";
  EXPECT_EQ(audio.rtcp_destination, address("198.51.100.9:6003"));
  EXPECT_FALSE(relay.to[1].srtp);
}

TEST(RelaySetup, LeavesNamesToTheResolver) {
  const config::Config config = configured(kCamera);
  const auto setup = describe_relays(config, PortPlan(config, true));
  ASSERT_TRUE(setup);
  EXPECT_FALSE(setup->relays[0].to[1].media[0].rtp_destination);
  ASSERT_EQ(setup->names.size(), 1u);
  EXPECT_EQ(setup->names[0].receiver, (relay::ReceiverMediumId{0, 1, 0}));
  EXPECT_EQ(setup->names[0].rtp.to_string(), "player.example:7006");
  EXPECT_EQ(setup->names[0].rtcp.to_string(), "player.example:7007");
  EXPECT_TRUE(setup->names[0].ipv4);
}

TEST(RelaySetup, SaysWhichDestinationNoPortCanReach) {
  const config::Config config = configured(R"(
relays:
  - stream: a
    from: {rtp: {media: [{kind: audio, payload_type: 0, listen: "127.0.0.1:5004"}]}}
    to: [{rtp: {media: [{kind: audio, send: "[2001:db8::7]:6000"}]}}]
)");
  const auto setup = describe_relays(config, PortPlan(config, false));
  ASSERT_FALSE(setup);
  ASSERT_EQ(setup.error().size(), 1u);
  EXPECT_EQ(setup.error()[0].to_string(),
            "test.yaml:5: relays[0].to[0].rtp.media[0].send: no IPv6 port of listen.media can send "
            "to [2001:db8::7]:6000; add one to listen.media, or give this medium its own 'listen'");
}

TEST(RelaySetup, IsTakenByTheEngine) {
  const config::Config config = configured(kCamera);
  const PortPlan plan(config, true);
  auto setup = describe_relays(config, plan);
  ASSERT_TRUE(setup);
  SystemRandom random;
  relay::Engine engine(engine_limits(config), random);
  EXPECT_THAT(add_relays(engine, config, plan, *setup), IsEmpty());
  EXPECT_EQ(engine.relay_count(), 1u);
}

TEST(RelaySetup, NamesTheRelayThatTheEngineRefuses) {
  config::Config config = configured(kCamera);
  config.limits.receivers_per_relay = 1;  // below what the file has, which the loader would refuse
  const PortPlan plan(config, true);
  auto setup = describe_relays(config, plan);
  ASSERT_TRUE(setup);
  SystemRandom random;
  relay::Engine engine(engine_limits(config), random);
  const auto problems = add_relays(engine, config, plan, *setup);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].origin.line, 4);
  EXPECT_NE(problems[0].text.find(to_string(relay::RelayError::too_many_receivers)),
            std::string::npos);
}

TEST(RelaySetup, PassesTheLimitsOn) {
  config::Config config;
  config.limits.ssrcs_per_leg = 7;
  config.limits.retransmission_packets = 64;
  config.limits.hold = std::chrono::seconds(9);
  config.webrtc.publisher_bitrate = 1'000'000;
  const relay::EngineLimits passed = engine_limits(config);
  EXPECT_EQ(passed.ssrcs_per_leg, 7u);
  EXPECT_EQ(passed.retransmission_packets, 64u);
  EXPECT_EQ(passed.publisher_bitrate, 1'000'000u);
  EXPECT_EQ(passed.hold, std::chrono::seconds(9));
  const relay::EngineLimits defaults;
  EXPECT_EQ(engine_limits({}).retransmission_packets, defaults.retransmission_packets);
  EXPECT_EQ(engine_limits({}).publisher_bitrate, defaults.publisher_bitrate);
  EXPECT_EQ(engine_limits({}).key_frame_interval, defaults.key_frame_interval);
  EXPECT_EQ(engine_limits({}).stall, defaults.stall);
}

}  // namespace
}  // namespace runnel::daemon
