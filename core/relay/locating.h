// Whose a datagram is, before it is known to be authentic.
#pragma once

#include <cstdint>
#include <expected>

#include "core/relay/engine_state.h"
#include "core/srtp/packet_kind.h"

namespace runnel::relay {

/// Who is to get a datagram, once it has been found authentic.
struct Addressee {
  enum class Kind : std::uint8_t {
    source_media,
    source_control,
    receiver_media,
    receiver_control,
    peer_media,
    peer_control,
  };
  Kind kind = Kind::source_media;
  std::uint32_t index = 0;             // of the track, the relay, the receiver leg, or the link
  srtp::Receiver* receiver = nullptr;  // nullptr: clear

  [[nodiscard]] srtp::PacketKind packet_kind() const noexcept {
    const bool is_media =
        kind == Kind::source_media || kind == Kind::receiver_media || kind == Kind::peer_media;
    return is_media ? srtp::PacketKind::rtp : srtp::PacketKind::rtcp;
  }
};

struct Refusal {
  DropReason reason;
  DropCounters* counters;  // nullptr: it was of use, and is not counted
};

using Located = std::expected<Addressee, Refusal>;

/// Classifies, finds the leg by port, path or SSRC, and asks its allow list. Changes nothing.
[[nodiscard]] Located locate(EngineState& state, const IncomingDatagram& datagram) noexcept;
/// A message is for a source's medium, and clear.
[[nodiscard]] Located locate(EngineState& state, const IncomingMessage& message) noexcept;

/// The first track of the relay that uses `port`, or its first: under which is counted what belongs
/// to no single one.
[[nodiscard]] SourceTrack& track_on(EngineState& state, const Relay& relay,
                                    PortIndex port) noexcept;
/// Where drops of a port are counted that no single track can be blamed for: its first track, or
/// the stray drops.
[[nodiscard]] DropCounters& drops_of(EngineState& state, PortIndex port) noexcept;

}  // namespace runnel::relay
