#include "daemon/relay_setup.h"

#include "core/base/check.h"

namespace runnel::daemon {
namespace {

std::vector<srtp::MasterKey> clone_all(const std::vector<srtp::MasterKey>& keys) {
  std::vector<srtp::MasterKey> clones;
  clones.reserve(keys.size());
  for (const srtp::MasterKey& key : keys) clones.push_back(key.clone());
  return clones;
}

class RelayDescriber {
 public:
  RelayDescriber(const config::Config& config, const PortPlan& plan)
      : config_(config), plan_(plan) {}

  std::expected<RelaySetup, std::vector<config::Problem>> describe_all() && {
    for (std::size_t i = 0; i < config_.relays.size(); ++i) describe(i);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(setup_);
  }

 private:
  void describe(std::size_t index) {
    const config::Relay& relay = config_.relays[index];
    relay::RelayDescription description;
    description.stream = relay.stream;
    description.from = source_leg(relay.from);
    for (std::size_t i = 0; i < relay.to.size(); ++i) {
      description.to.push_back(receiver_leg(relay.to[i], {index, i, 0}));
    }
    setup_.relays.push_back(std::move(description));
  }

  relay::SourceLeg source_leg(const config::SourceLeg& leg) const {
    relay::SourceLeg description{.srtp = srtp_settings(leg.srtp), .allow = leg.allow, .media = {}};
    for (const config::SourceMedium& medium : leg.media) {
      description.media.push_back({
          .name = medium.name,
          .codec = medium.codec,
          .payload_type = medium.payload_type,
          .ports = {planned(medium.listen.address), planned(medium.rtcp_listen())},
          .ssrc = medium.ssrc,
          .rollover_counter = medium.rollover_counter,
      });
    }
    return description;
  }

  relay::ReceiverLeg receiver_leg(const config::ReceiverLeg& leg, relay::ReceiverMediumId id) {
    relay::ReceiverLeg description{
        .srtp = srtp_settings(leg.srtp),
        .allow = leg.allow,
        .latch = leg.latch_first ? relay::Latch::first : relay::Latch::none,
        .media = {}};
    for (id.medium = 0; id.medium < leg.media.size(); ++id.medium) {
      description.media.push_back(receiver_medium(leg.media[id.medium], id));
    }
    return description;
  }

  relay::ReceiverMedium receiver_medium(const config::ReceiverMedium& medium,
                                        const relay::ReceiverMediumId& id) {
    relay::ReceiverMedium description{.source = medium.source,
                                      .payload_type = medium.payload_type,
                                      .ssrc = medium.ssrc,
                                      .ports = receiver_ports(medium),
                                      .rtp_destination = std::nullopt,
                                      .rtcp_destination = std::nullopt};
    if (!medium.send) return description;
    const config::Endpoint rtcp = medium.rtcp_destination().value_or(*medium.send);
    const auto rtp_address = medium.send->literal();
    const auto rtcp_address = rtcp.literal();
    if (rtp_address && rtcp_address) {
      description.rtp_destination = rtp_address;
      description.rtcp_destination = rtcp_address;
    } else if (const auto port = static_cast<std::size_t>(description.ports.rtp);
               port < plan_.ports().size()) {
      setup_.names.push_back({id, *medium.send, rtcp, plan_.ports()[port].address.ip.is_v4()});
    }
    return description;
  }

  relay::LocalPorts receiver_ports(const config::ReceiverMedium& medium) {
    if (medium.listen) return {planned(medium.listen->address), planned(medium.rtcp_listen())};
    const config::Endpoint destination = medium.send.value_or(config::Endpoint{});
    if (const auto port = plan_.media_port_for(destination)) return {*port, std::nullopt};
    const auto literal = destination.literal();
    const std::string_view family = literal && !literal->ip.is_v4() ? "IPv6 " : "";
    problems_.push_back({destination.origin,
                         "no " + std::string(family) + "port of listen.media can send to " +
                             destination.to_string(),
                         "add one to listen.media, or give this medium its own 'listen'"});
    return {};
  }

  std::optional<relay::SrtpSettings> srtp_settings(const std::optional<config::Srtp>& srtp) const {
    if (!srtp) return std::nullopt;
    return relay::SrtpSettings{.profile = srtp->suite,
                               .media_keys = clone_all(srtp->keys),
                               .reply_keys = clone_all(srtp->reply_keys),
                               .replay_window = config_.limits.replay_window};
  }

  relay::PortIndex planned(const SocketAddress& address) const {
    const auto port = plan_.find(address);
    RUNNEL_CHECK(port.has_value());
    return *port;
  }
  std::optional<relay::PortIndex> planned(const std::optional<SocketAddress>& address) const {
    if (!address) return std::nullopt;
    return planned(*address);
  }

  const config::Config& config_;
  const PortPlan& plan_;
  RelaySetup setup_;
  std::vector<config::Problem> problems_;
};

}  // namespace

relay::EngineLimits engine_limits(const config::Config& config) {
  const config::Limits& limits = config.limits;
  relay::EngineLimits result;
  result.relays = limits.relays + limits.streams;
  result.receivers_per_relay = limits.receivers_per_relay;
  result.media_per_leg = limits.media_per_leg;
  result.ssrcs_per_leg = limits.ssrcs_per_leg;
  result.retransmission_packets = limits.retransmission_packets;
  result.publisher_bitrate = config.webrtc.publisher_bitrate;
  result.key_frame_interval = limits.key_frame_interval;
  result.report_interval = limits.report_interval;
  result.stall = limits.stall;
  result.hold = limits.hold;
  return result;
}

std::expected<RelaySetup, std::vector<config::Problem>> describe_relays(
    const config::Config& config, const PortPlan& plan) {
  return RelayDescriber(config, plan).describe_all();
}

std::vector<config::Problem> add_relays(relay::Engine& engine, const config::Config& config,
                                        const PortPlan& plan, RelaySetup& setup) {
  for (std::size_t i = 0; i < plan.ports().size(); ++i) {
    if (plan.ports()[i].shared) engine.add_shared_port(static_cast<relay::PortIndex>(i));
  }
  std::vector<config::Problem> problems;
  for (std::size_t i = 0; i < setup.relays.size(); ++i) {
    const auto added = engine.add_relay(std::move(setup.relays[i]));
    if (!added) {
      problems.push_back(
          {config.relays[i].origin,
           "the stream cannot be relayed: " + std::string(relay::to_string(added.error())),
           "correct this relay"});
    }
  }
  return problems;
}

}  // namespace runnel::daemon
