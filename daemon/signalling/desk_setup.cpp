#include "daemon/signalling/desk_setup.h"

#include <algorithm>
#include <string>

#include "daemon/version.h"

namespace runnel::daemon {
namespace {

session::DeskLimits desk_limits(const config::Config& config) {
  const config::Limits& limits = config.limits;
  session::DeskLimits desk;
  desk.streams = limits.streams;
  desk.sessions = limits.sessions;
  desk.sessions_per_client = std::min(limits.sessions, limits.sessions_per_client);
  desk.legs_per_session = limits.legs_per_session;
  desk.rest_legs = limits.rest_legs;
  desk.subscriptions_per_stream = limits.receivers_per_relay;
  desk.requests_per_second = limits.requests_per_second;
  desk.client_requests_per_second = limits.client_requests_per_second;
  desk.failed_tries = limits.failed_tries;
  desk.answer = limits.send_queue / 2;
  desk.message = limits.message;
  desk.hold = config.signalling_settings.hold;
  return desk;
}

session::ConfiguredStream configured_stream(const config::Relay& relay, std::size_t number) {
  session::ConfiguredStream stream{.stream = relay.stream, .relay = number, .tracks = {}};
  for (const config::SourceMedium& medium : relay.from.media) {
    stream.tracks.push_back({medium.name, medium.codec, medium.payload_type});
  }
  return stream;
}

}  // namespace

std::vector<IpAddress> bound_for_media(const config::Config& config, const PortPlan& plan) {
  std::vector<IpAddress> addresses;
  for (const PlannedPort& port : plan.media_ports()) addresses.push_back(port.address.ip);
  if (addresses.empty()) {
    for (const config::Listen& listen : config.signalling) addresses.push_back(listen.address.ip);
  }
  return addresses;
}

session::DeskSettings desk_settings(const config::Config& config, const PortPlan& plan,
                                    const std::vector<UdpSocket>& sockets) {
  session::DeskSettings settings;
  settings.server = "runnel " + std::string(version());
  settings.limits = desk_limits(config);
  for (std::size_t i = 0; i < config.relays.size(); ++i) {
    settings.configured.push_back(configured_stream(config.relays[i], i));
  }
  for (std::size_t i = 0; i < plan.media_ports().size(); ++i) {
    settings.media_ports.push_back({static_cast<relay::PortIndex>(i), sockets[i].local_address()});
  }
  settings.rtp_networks = config.signalling_settings.rtp_networks;
  settings.srtp_networks = config.signalling_settings.srtp_networks;
  settings.replay_window = config.limits.replay_window;
  return settings;
}

ServerSettings server_settings(const config::Config& config) {
  const config::Limits& limits = config.limits;
  ServerSettings settings;
  settings.connections = limits.connections;
  settings.connections_per_address = std::min(limits.connections, limits.connections_per_address);
  settings.connection.http.limits.head_size = limits.request_head;
  settings.connection.http.limits.target_length =
      std::min(settings.connection.http.limits.target_length, limits.request_head);
  settings.connection.http.limits.body_size = limits.request_body;
  settings.connection.http.header_timeout = limits.header_timeout;
  settings.connection.http.idle_timeout = limits.idle_timeout;
  settings.connection.websocket.limits.max_frame_size = limits.message;
  settings.connection.websocket.limits.max_message_size = limits.message;
  settings.connection.websocket.ping_interval = config.signalling_settings.ping_interval;
  settings.connection.send_queue.max_bytes = limits.send_queue;
  return settings;
}

std::expected<OriginPolicy, config::Problem> origin_policy(const config::Config& config) {
  auto policy = OriginPolicy::create(config.signalling_settings.origins,
                                     /*local_only=*/!config.auth.is_configured);
  if (policy) return std::move(*policy);
  return std::unexpected(config::Problem{{config.file, 0, "signalling.origins"},
                                         policy.error(),
                                         "write origins such as \"https://app.example\""});
}

}  // namespace runnel::daemon
