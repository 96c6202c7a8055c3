#include "core/relay/admission.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/relay/claims.h"
#include "core/relay/engine_state.h"

namespace runnel::relay {
namespace {

using Verdict = std::expected<void, RelayError>;
using Legs = std::span<const ReceiverLeg>;

Verdict check_source_size(const EngineState& state, const SourceLeg& from) {
  if (from.media.size() > state.limits.media_per_leg) {
    return std::unexpected(RelayError::too_many_media);
  }
  if (from.media.empty()) return std::unexpected(RelayError::no_media);
  return {};
}

/// `there`: receivers that the relay has already.
Verdict check_receiver_sizes(const EngineState& state, std::size_t there, Legs legs) {
  if (there + legs.size() > state.limits.receivers_per_relay) {
    return std::unexpected(RelayError::too_many_receivers);
  }
  for (const ReceiverLeg& leg : legs) {
    if (leg.media.size() > state.limits.media_per_leg) {
      return std::unexpected(RelayError::too_many_media);
    }
    if (leg.media.empty()) return std::unexpected(RelayError::no_media);
  }
  return {};
}

Verdict check_references(std::size_t source_media, Legs legs) {
  for (const ReceiverLeg& leg : legs) {
    for (const ReceiverMedium& medium : leg.media) {
      if (medium.source >= source_media) return std::unexpected(RelayError::unknown_source_medium);
    }
  }
  return {};
}

/// Whether the same keystream would be used twice: by two of our senders, or by one of ours and the
/// source.
class PinnedCheck {
 public:
  explicit PinnedCheck(const EngineState& state) : state_(state) {}

  void note_source(const SourceLeg& from) {
    if (!from.srtp) return;
    for (const SourceMedium& medium : from.media) {
      if (!medium.ssrc) continue;
      for (const srtp::MasterKey& key : from.srtp->media_keys) own_.emplace(*medium.ssrc, &key);
    }
  }

  Verdict check(Legs legs) {
    for (const ReceiverLeg& leg : legs) {
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

/// As names of codecs are (RFC 4855 §3).
bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool is_same_medium(const SourceTrack& track, const SourceMedium& medium) {
  return track.codec.kind == medium.codec.kind &&
         track.codec.clock_rate == medium.codec.clock_rate &&
         equal_ignoring_case(track.codec.name, medium.codec.name);
}

Verdict check_same_media(const EngineState& state, const Relay& relay, const SourceLeg& from) {
  const bool same = std::ranges::equal(relay.tracks, from.media,
                                       [&](std::uint32_t track, const SourceMedium& medium) {
                                         return is_same_medium(state.tracks[track], medium);
                                       });
  if (!same) return std::unexpected(RelayError::other_media);
  return {};
}

}  // namespace

Verdict check_relay(const EngineState& state, const RelayDescription& relay) {
  if (state.streams.size() >= state.limits.relays) {
    return std::unexpected(RelayError::too_many_relays);
  }
  if (auto verdict = check_source_size(state, relay.from); !verdict) return verdict;
  if (auto verdict = check_receiver_sizes(state, 0, relay.to); !verdict) return verdict;
  if (state.streams.contains(relay.stream)) return std::unexpected(RelayError::duplicate_stream);
  if (auto verdict = check_references(relay.from.media.size(), relay.to); !verdict) return verdict;
  Claims claims(state);
  if (auto verdict = claims.claim(relay.from); !verdict) return verdict;
  for (const ReceiverLeg& leg : relay.to) {
    if (auto verdict = claims.claim(leg); !verdict) return verdict;
  }
  PinnedCheck pinned(state);
  pinned.note_source(relay.from);
  return pinned.check(relay.to);
}

Verdict check_replacement(const EngineState& state, std::uint32_t relay, const SourceLeg& from) {
  if (auto verdict = check_source_size(state, from); !verdict) return verdict;
  if (auto verdict = check_same_media(state, state.relays[relay], from); !verdict) return verdict;
  return Claims(state, relay).claim(from);
}

Verdict check_receiver(const EngineState& state, std::uint32_t relay_index,
                       const ReceiverLeg& leg) {
  const Relay& relay = state.relays[relay_index];
  const Legs legs(&leg, 1);
  if (auto verdict = check_receiver_sizes(state, relay.receiver_count, legs); !verdict) {
    return verdict;
  }
  if (auto verdict = check_references(relay.tracks.size(), legs); !verdict) return verdict;
  if (auto verdict = Claims(state).claim(leg); !verdict) return verdict;
  return PinnedCheck(state).check(legs);
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
      return "another leg has this local port and remote address";
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
    case RelayError::unknown_peer:
      return "there is no such peer connection";
    case RelayError::duplicate_mid:
      return "two media of one peer connection have the same mid";
  }
  return "unknown";
}

}  // namespace runnel::relay
