#include "core/relay/admission.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/relay/destination.h"
#include "core/relay/engine_state.h"

namespace runnel::relay {
namespace {

using Verdict = std::expected<void, RelayError>;

Verdict check_sizes(const EngineState& state, const RelayDescription& relay) {
  const EngineLimits& limits = state.limits;
  if (state.relays.size() >= limits.relays) return std::unexpected(RelayError::too_many_relays);
  if (relay.to.size() > limits.receivers_per_relay) {
    return std::unexpected(RelayError::too_many_receivers);
  }
  const auto too_many = [&](const auto& leg) { return leg.media.size() > limits.media_per_leg; };
  if (too_many(relay.from) || std::ranges::any_of(relay.to, too_many)) {
    return std::unexpected(RelayError::too_many_media);
  }
  const auto same_name = [&](const Relay& other) { return other.stream == relay.stream; };
  if (std::ranges::any_of(state.relays, same_name)) {
    return std::unexpected(RelayError::duplicate_stream);
  }
  return {};
}

Verdict check_references(const RelayDescription& relay) {
  for (const ReceiverLeg& leg : relay.to) {
    for (const ReceiverMedium& medium : leg.media) {
      if (medium.source >= relay.from.media.size()) {
        return std::unexpected(RelayError::unknown_source_medium);
      }
    }
  }
  const auto is_empty = [](const ReceiverLeg& leg) { return leg.media.empty(); };
  if (relay.from.media.empty() || std::ranges::any_of(relay.to, is_empty)) {
    return std::unexpected(RelayError::no_media);
  }
  return {};
}

/// Goes through all ports of a relay and remembers which leg of it took which.
class PortCheck {
 public:
  explicit PortCheck(const EngineState& state) : state_(state) {}

  Verdict check(const RelayDescription& relay) {
    if (auto verdict = claim_all(kSource, relay.from.media); !verdict) return verdict;
    for (std::size_t i = 0; i < relay.to.size(); ++i) {
      if (auto verdict = claim_receiver(static_cast<int>(i), relay.to[i]); !verdict) return verdict;
    }
    return {};
  }

 private:
  static constexpr int kSource = -1;

  template <typename Medium>
  Verdict claim_all(int leg, const std::vector<Medium>& media) {
    for (const Medium& medium : media) {
      if (!claim(leg, medium.ports.rtp) || (medium.ports.rtcp && !claim(leg, *medium.ports.rtcp))) {
        return std::unexpected(RelayError::port_in_use);
      }
    }
    return {};
  }

  bool is_shared(PortIndex port) const {
    return state_.ports.at(port).kind == PortUse::Kind::shared;
  }

  bool claim(int leg, PortIndex port) {
    const PortUse use = state_.ports.at(port);
    if (use.kind == PortUse::Kind::shared) return leg != kSource;
    if (use.kind != PortUse::Kind::unused) return false;
    return owners_.try_emplace(port, leg).first->second == leg;
  }

  Verdict claim_receiver(int index, const ReceiverLeg& leg) {
    if (auto verdict = claim_all(index, leg.media); !verdict) return verdict;
    for (const ReceiverMedium& medium : leg.media) {
      for (const PortIndex port :
           {medium.ports.rtp, medium.ports.rtcp.value_or(medium.ports.rtp)}) {
        if (leg.latch == Latch::first && is_shared(port) && !claim_latching(index, port)) {
          return std::unexpected(RelayError::port_in_use);
        }
      }
      if (!claim_path(index, medium.ports.rtp, medium.rtp_destination) ||
          !claim_path(index, medium.ports.rtcp.value_or(medium.ports.rtp),
                      rtcp_destination(medium))) {
        return std::unexpected(RelayError::path_in_use);
      }
    }
    return {};
  }

  /// One leg at most may wait on a shared port for an address that it does not know: whose first
  /// packet would it be?
  bool claim_latching(int leg, PortIndex port) {
    if (state_.ports.at(port).owner != PortUse::kNobody) return false;
    return latching_.try_emplace(port, leg).first->second == leg;
  }

  bool claim_path(int leg, PortIndex port, const std::optional<SocketAddress>& remote) {
    if (!remote || !is_shared(port)) return true;
    if (state_.paths.find({port, *remote})) return false;
    return paths_.try_emplace({port, *remote}, leg).first->second == leg;
  }

  const EngineState& state_;
  std::map<PortIndex, int> owners_;
  std::map<PortIndex, int> latching_;
  std::map<std::pair<PortIndex, SocketAddress>, int> paths_;
};

/// Whether the same keystream would be used twice: by two of our senders, or by one of ours and the
/// source.
class PinnedCheck {
 public:
  explicit PinnedCheck(const EngineState& state) : state_(state) {}

  Verdict check(const RelayDescription& relay) {
    if (relay.from.srtp) {
      for (const SourceMedium& medium : relay.from.media) note_source(medium, *relay.from.srtp);
    }
    for (const ReceiverLeg& leg : relay.to) {
      if (!leg.srtp) continue;
      for (const ReceiverMedium& medium : leg.media) {
        if (medium.ssrc && !claim(*medium.ssrc, leg.srtp->media_keys.front())) {
          return std::unexpected(RelayError::ssrc_in_use_with_key);
        }
      }
    }
    return {};
  }

 private:
  void note_source(const SourceMedium& medium, const SrtpSettings& srtp) {
    if (!medium.ssrc) return;
    for (const srtp::MasterKey& key : srtp.media_keys) own_.emplace(*medium.ssrc, &key);
  }

  bool claim(std::uint32_t ssrc, const srtp::MasterKey& key) {
    const auto [ours, ours_end] = own_.equal_range(ssrc);
    const auto [there, there_end] = state_.pinned.equal_range(ssrc);
    const bool taken =
        std::any_of(ours, ours_end, [&](const auto& e) { return e.second->same_key(key); }) ||
        std::any_of(there, there_end, [&](const auto& e) { return e.second.same_key(key); });
    own_.emplace(ssrc, &key);
    return !taken;
  }

  const EngineState& state_;
  std::multimap<std::uint32_t, const srtp::MasterKey*> own_;
};

Verdict check_payload_types(const RelayDescription& relay) {
  std::set<std::pair<PortIndex, std::uint8_t>> received;
  for (const SourceMedium& medium : relay.from.media) {
    if (!received.emplace(medium.ports.rtp, medium.payload_type).second) {
      return std::unexpected(RelayError::duplicate_payload_type);
    }
  }
  for (const ReceiverLeg& leg : relay.to) {
    // Two media that are not latched or resolved yet may turn out to be at one address.
    std::set<std::tuple<PortIndex, std::optional<SocketAddress>, std::uint8_t>> sent;
    for (const ReceiverMedium& medium : leg.media) {
      if (!sent.emplace(medium.ports.rtp, medium.rtp_destination, medium.payload_type).second) {
        return std::unexpected(RelayError::duplicate_payload_type);
      }
    }
  }
  return {};
}

}  // namespace

std::expected<void, RelayError> check_relay(const EngineState& state,
                                            const RelayDescription& relay) {
  if (auto verdict = check_sizes(state, relay); !verdict) return verdict;
  if (auto verdict = check_references(relay); !verdict) return verdict;
  if (auto verdict = check_payload_types(relay); !verdict) return verdict;
  if (auto verdict = PortCheck(state).check(relay); !verdict) return verdict;
  return PinnedCheck(state).check(relay);
}

std::string_view to_string(RelayError error) noexcept {
  switch (error) {
    case RelayError::too_many_relays:
      return "too many relays";
    case RelayError::too_many_receivers:
      return "too many receivers";
    case RelayError::too_many_media:
      return "too many media in one leg";
    case RelayError::duplicate_stream:
      return "another relay has this stream name";
    case RelayError::port_in_use:
      return "another leg listens on this port, and the two could not be told apart";
    case RelayError::path_in_use:
      return "another receiver has this local port and destination";
    case RelayError::ssrc_in_use_with_key:
      return "this SSRC is already sent under this key, which would use a keystream twice";
    case RelayError::unknown_source_medium:
      return "the source has no such medium";
    case RelayError::no_media:
      return "a leg without media";
    case RelayError::duplicate_payload_type:
      return "two media with one payload type cannot be told apart";
    case RelayError::ssrc_in_use_on_port:
      return "another leg on this shared port has this SSRC";
    case RelayError::other_media:
      return "the stream has other media";
  }
  return "unknown";
}

}  // namespace runnel::relay
