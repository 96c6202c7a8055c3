// The tables of an engine, and the queues between its steps. Plain data: what is done with it
// stands in the files that are named after what they do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/deadline_queue.h"
#include "core/base/random.h"
#include "core/base/slot_table.h"
#include "core/relay/burst.h"
#include "core/relay/control_queue.h"
#include "core/relay/departures.h"
#include "core/relay/engine.h"
#include "core/relay/event_queue.h"
#include "core/relay/farewells.h"
#include "core/relay/path_table.h"
#include "core/relay/peer_link.h"
#include "core/relay/port_table.h"
#include "core/relay/receiver_track.h"
#include "core/relay/retransmission_queue.h"
#include "core/relay/source_track.h"
#include "core/relay/ssrc_directory.h"
#include "core/relay/ssrc_registry.h"

namespace runnel::relay {

/// 96 random bits in base64 (RFC 7022 §4.2).
using CanonicalName = std::array<char, 16>;

/// So that a name can be looked up without a copy of it.
struct NameHash {
  using is_transparent = void;
  [[nodiscard]] std::size_t operator()(std::string_view name) const noexcept {
    return std::hash<std::string_view>()(name);
  }
};

/// The source leg that a relay has at present.
struct SourceLegState {
  std::vector<IpNetwork> allow;
  std::vector<srtp::MasterKey> keys;            // of what the source sends
  std::optional<srtp::Receiver> rtcp_receiver;  // of the source's RTCP, for all of its media
  std::optional<srtp::Sender> reply_sender;     // of our RTCP to the source
  std::uint32_t reply_ssrc = 0;
  std::optional<ChannelId> channel;
  std::optional<std::uint32_t> link;  // index of a PeerLink
};

struct Relay {
  std::string stream;
  CanonicalName cname{};  // of all that we send for it: what is in sync is known by it
  std::optional<SourceLegState> from;
  std::vector<std::uint32_t> tracks;     // the first encoding of each medium, whosever that is
  std::vector<std::uint32_t> encodings;  // all of them
  SlotTable<std::uint32_t> legs;         // by the receivers' numbers, also of removed ones
  std::size_t receiver_count = 0;        // without these
  DepartedStatistics departed;
  bool removed = false;  // see Departures
};

struct ReceiverLegState {
  std::uint32_t relay = 0;
  std::uint32_t number = 0;  // in the relay
  std::optional<ChannelId> channel;
  std::optional<std::uint32_t> link;  // index of a PeerLink
  bool paused = false;
  bool removed = false;  // see Departures
  std::vector<IpNetwork> allow;
  bool latches = false;
  std::optional<srtp::MasterKey> key;            // to make a new Sender when one is used up
  std::vector<srtp::MasterKey> reply_keys;       // of what the receiver sends
  std::optional<srtp::Receiver> reply_receiver;  // the same, at work
  std::vector<std::uint32_t> receivers;          // one for each medium
};

/// Where `drain` stands in the burst: receivers of a track one after the other, and for each all
/// packets.
struct BurstCursor {
  std::size_t track = 0;     // in Burst::tracks()
  std::size_t receiver = 0;  // in SourceTrack::receivers
  std::uint32_t packet = Burst::kEnd;
  bool in_receiver = false;          // `packet` is valid
  bool has_counted_waiting = false;  // receivers of the track that get nothing yet
};

struct EngineState {
  EngineState(const EngineLimits& engine_limits, RandomSource& random_source)
      : limits(engine_limits),
        random(random_source),
        known_ssrcs(std::uint64_t{random.u32()} << 32 | random.u32()),
        ssrcs(random_source),
        retransmissions(engine_limits.retransmissions),
        events(engine_limits.events) {}

  EngineLimits limits;
  RandomSource& random;
  transport::Transports* transports = nullptr;  // lent; nullptr: no leg has a peer
  Timestamp now{};
  bool shut_down = false;

  SlotTable<Relay> relays;
  SlotTable<ReceiverLegState> legs;
  SlotTable<SourceTrack> tracks;
  SlotTable<ReceiverTrack> receivers;
  SlotTable<PeerLink> links;
  std::unordered_map<transport::PeerId, std::uint32_t> links_by_peer;
  /// Relays by name, without removed ones.
  std::unordered_map<std::string, std::uint32_t, NameHash, std::equal_to<>> streams;
  PortTable ports;
  // Of shared ports: legs by their path, relays by the path of their source, and both by SSRC.
  PathTable paths;
  PathTable source_paths;
  SsrcDirectory known_ssrcs;
  SsrcRegistry ssrcs;
  /// Which keys send under a pinned SSRC.
  std::unordered_multimap<std::uint32_t, srtp::MasterKey> pinned;

  Burst burst;
  BurstCursor burst_cursor;
  ControlQueue control;
  std::size_t control_cursor = 0;  // in SourceTrack::receivers of the track at the queue's front
  DeadlineQueue deadlines;         // by track
  DeadlineQueue link_deadlines;    // by link
  RetransmissionQueue retransmissions;
  std::uint32_t last_run = 0;  // see ClearPacket
  Farewells farewells;
  Departures departures;
  EventQueue events;
  std::vector<std::uint32_t> links_to_tell;   // of arrivals, as their deadline is over
  std::vector<transport::Event> peer_events;  // that wait for take_peer_events
  DropCounters stray_drops;

  [[nodiscard]] auto tracks_of(const Relay& relay) noexcept {
    return std::views::transform(
        relay.tracks, [this](std::uint32_t index) -> SourceTrack& { return tracks[index]; });
  }
  [[nodiscard]] auto encodings_of(const Relay& relay) noexcept {
    return std::views::transform(
        relay.encodings, [this](std::uint32_t index) -> SourceTrack& { return tracks[index]; });
  }
  /// All encodings of the medium that the track is one of.
  [[nodiscard]] auto encodings_beside(const SourceTrack& track) noexcept {
    return std::views::transform(
        tracks[track.first].encodings,
        [this](std::uint32_t index) -> SourceTrack& { return tracks[index]; });
  }
  [[nodiscard]] auto receivers_of(const ReceiverLegState& leg) noexcept {
    return std::views::transform(
        leg.receivers, [this](std::uint32_t index) -> ReceiverTrack& { return receivers[index]; });
  }
  [[nodiscard]] auto receivers_of(const ReceiverLegState& leg) const noexcept {
    return std::views::transform(
        leg.receivers,
        [this](std::uint32_t index) -> const ReceiverTrack& { return receivers[index]; });
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
  void unpin(std::uint32_t ssrc, const srtp::MasterKey& key) noexcept {
    const auto [first, last] = pinned.equal_range(ssrc);
    const auto found =
        std::find_if(first, last, [&key](const auto& entry) { return entry.second.same_key(key); });
    if (found != last) pinned.erase(found);
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
