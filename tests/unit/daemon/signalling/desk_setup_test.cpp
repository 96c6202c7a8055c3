// What the configuration says of signalling reaches those who act by it.
#include "daemon/signalling/desk_setup.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/port_binding.h"
#include "tests/unit/daemon/configured.h"
#include "tests/unit/daemon/loopback.h"

namespace runnel::daemon {
namespace {

using testing::ElementsAre;

TEST(DeskSetup, PassesLimitsAndNetworksOn) {
  const SocketAddress media = abandoned_address();
  const config::Config config =
      configured("listen: {media: \"" + media.to_string() +
                 "\"}\n"
                 "limits: {streams: 7, sessions: 8, legs_per_session: 9, requests_per_second: 10, "
                 "failed_tries: 11, message: 128KiB, receivers_per_relay: 12}\n"
                 "signalling: {hold: 5s, rtp_networks: [192.0.2.0/24]}\n");
  const PortPlan plan(config, true);
  const auto bound = bind_ports(plan, config.limits);
  ASSERT_TRUE(bound);
  const session::DeskSettings settings = desk_settings(config, plan, bound->sockets);
  EXPECT_EQ(settings.limits.streams, 7u);
  EXPECT_EQ(settings.limits.sessions, 8u);
  EXPECT_EQ(settings.limits.legs_per_session, 9u);
  EXPECT_EQ(settings.limits.requests_per_second, 10u);
  EXPECT_EQ(settings.limits.failed_tries, 11u);
  EXPECT_EQ(settings.limits.message, 128u * 1024);
  EXPECT_EQ(settings.limits.subscriptions_per_stream, 12u);
  EXPECT_EQ(settings.limits.hold, std::chrono::seconds(5));
  EXPECT_THAT(settings.rtp_networks, ElementsAre(IpNetwork::parse("192.0.2.0/24").value()));
  ASSERT_EQ(settings.media_ports.size(), 1u);
  EXPECT_EQ(settings.media_ports[0].address, media);
}

TEST(DeskSetup, KnowsTheConfiguredStreams) {
  const config::Config config = configured(kCamera);
  const PortPlan plan(config, true);
  std::vector<UdpSocket> sockets;
  for (std::size_t i = 0; i < plan.media_ports().size(); ++i) {
    sockets.push_back(bind_or_die("127.0.0.1:0"));
  }
  const auto streams = desk_settings(config, plan, sockets).configured;
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0].stream, "camera-1");
  EXPECT_EQ(streams[0].relay, 0u);
  ASSERT_EQ(streams[0].tracks.size(), 2u);
  EXPECT_EQ(streams[0].tracks[0].name, "video");
  EXPECT_EQ(streams[0].tracks[1].payload_type, 111);
}

TEST(DeskSetup, SetsTheServerUp) {
  const config::Config config = configured(
      "limits: {connections: 20, connections_per_address: 20, request_head: 4KiB, "
      "request_body: 8KiB, header_timeout: 2s, idle_timeout: 3s, send_queue: 256KiB, "
      "message: 64KiB}\nsignalling: {ping_interval: 4s}\n");
  const ServerSettings settings = server_settings(config);
  EXPECT_EQ(settings.connections, 20u);
  EXPECT_EQ(settings.connections_per_address, 20u);
  EXPECT_EQ(settings.connection.http.limits.head_size, 4096u);
  EXPECT_EQ(settings.connection.http.limits.body_size, 8192u);
  EXPECT_EQ(settings.connection.http.header_timeout, std::chrono::seconds(2));
  EXPECT_EQ(settings.connection.http.idle_timeout, std::chrono::seconds(3));
  EXPECT_EQ(settings.connection.send_queue.max_bytes, 256u * 1024);
  EXPECT_EQ(settings.connection.websocket.limits.max_message_size, 64u * 1024);
  EXPECT_EQ(settings.connection.websocket.ping_interval, std::chrono::seconds(4));
}

}  // namespace
}  // namespace runnel::daemon
