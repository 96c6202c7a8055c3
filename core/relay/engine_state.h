// The tables of an engine, and the queues between its steps. Plain data: what is done with it
// stands in the files that are named after what they do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/random.h"
#include "core/relay/burst.h"
#include "core/relay/control_queue.h"
#include "core/relay/deadline_queue.h"
#include "core/relay/engine.h"
#include "core/relay/event_queue.h"
#include "core/relay/path_table.h"
#include "core/relay/port_table.h"
#include "core/relay/receiver_track.h"
#include "core/relay/source_track.h"
#include "core/relay/ssrc_registry.h"

namespace runnel::relay {

/// 96 random bits in base64 (RFC 7022 §4.2).
using CanonicalName = std::array<char, 16>;

/// A relay and its source leg.
struct Relay {
  std::string stream;
  CanonicalName cname{};  // of all that we send for it: what is in sync is known by it
  std::vector<IpNetwork> allow;
  std::vector<srtp::MasterKey> keys;            // of what the source sends
  std::optional<srtp::Receiver> rtcp_receiver;  // of the source's RTCP, for all of its media
  std::optional<srtp::Sender> reply_sender;     // of our RTCP to the source
  std::uint32_t reply_ssrc = 0;
  std::uint32_t first_track = 0;
  std::uint32_t track_count = 0;
  std::uint32_t first_leg = 0;
  std::uint32_t leg_count = 0;
};

struct ReceiverLegState {
  std::uint32_t relay = 0;
  std::vector<IpNetwork> allow;
  bool latches = false;
  std::optional<srtp::MasterKey> key;            // to make a new Sender when one is used up
  std::vector<srtp::MasterKey> reply_keys;       // of what the receiver sends
  std::optional<srtp::Receiver> reply_receiver;  // the same, at work
  std::uint32_t first_receiver = 0;
  std::uint32_t receiver_count = 0;
};

/// Where `drain` stands in the burst: receivers of a track one after the other, and for each all
/// packets.
struct BurstCursor {
  std::size_t track = 0;     // in Burst::tracks()
  std::size_t receiver = 0;  // in SourceTrack::receivers
  std::uint32_t packet = Burst::kEnd;
  bool in_receiver = false;  // `packet` is valid
};

struct EngineState {
  EngineState(const EngineLimits& engine_limits, RandomSource& random_source)
      : limits(engine_limits), random(random_source), events(engine_limits.events) {}

  EngineLimits limits;
  RandomSource& random;
  Timestamp now{};
  bool shut_down = false;

  std::vector<Relay> relays;
  std::vector<ReceiverLegState> legs;
  std::vector<SourceTrack> tracks;
  std::vector<ReceiverTrack> receivers;
  PortTable ports;
  PathTable paths;
  SsrcRegistry ssrcs;
  /// Which keys send under a pinned SSRC.
  std::unordered_multimap<std::uint32_t, srtp::MasterKey> pinned;

  Burst burst;
  BurstCursor burst_cursor;
  ControlQueue control;
  std::size_t control_cursor = 0;  // in SourceTrack::receivers of the track at the queue's front
  DeadlineQueue deadlines;         // by track
  EventQueue events;
  DropCounters stray_drops;

  [[nodiscard]] std::span<SourceTrack> tracks_of(const Relay& relay) noexcept {
    return std::span(tracks).subspan(relay.first_track, relay.track_count);
  }
  [[nodiscard]] std::span<ReceiverTrack> receivers_of(const ReceiverLegState& leg) noexcept {
    return std::span(receivers).subspan(leg.first_receiver, leg.receiver_count);
  }
  [[nodiscard]] std::uint32_t index_of(const SourceTrack& track) const noexcept {
    return static_cast<std::uint32_t>(&track - tracks.data());
  }
  [[nodiscard]] std::uint32_t index_of(const ReceiverTrack& receiver) const noexcept {
    return static_cast<std::uint32_t>(&receiver - receivers.data());
  }
  /// Whether a pinned SSRC belongs to a sender under one of the keys, be it ours or a source.
  [[nodiscard]] bool is_pinned(std::uint32_t ssrc,
                               std::span<const srtp::MasterKey> keys) const noexcept {
    const auto [first, last] = pinned.equal_range(ssrc);
    return std::any_of(first, last, [keys](const auto& entry) {
      return std::ranges::any_of(
          keys, [&](const srtp::MasterKey& key) { return entry.second.same_key(key); });
    });
  }
  void say(const Event& event) noexcept {
    if (!events.push(event)) stray_drops.add(DropReason::queue_full);
  }
};

/// An empty list allows all.
[[nodiscard]] inline bool is_allowed(std::span<const IpNetwork> allow,
                                     const IpAddress& ip) noexcept {
  for (const IpNetwork& network : allow) {
    if (network.contains(ip)) return true;
  }
  return allow.empty();
}

}  // namespace runnel::relay
