// What a voice session wants done: packets to publish, texts to send, events for the other side.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::voice {

/// Samples, which are bytes in G.711, of one RTP packet at most: 120 ms.
inline constexpr std::size_t kMaxPacketSamples = 960;

/// A clear RTP packet.
class Packet {
 public:
  /// `payload` has at most kMaxPacketSamples bytes.
  Packet(const rtp::RtpHeader& header, ByteView payload) noexcept;
  [[nodiscard]] ByteView bytes() const noexcept { return ByteView(storage_).first(size_); }

 private:
  std::array<std::uint8_t, rtp::kFixedHeaderSize + kMaxPacketSamples> storage_;
  std::size_t size_ = 0;
};

/// What the sessions of the other role at the same stream are to be told, by Session::relay.
struct PeerEvent {
  enum class Kind : std::uint8_t {
    dtmf,   // caller to agents: a key was pressed
    mark,   // agent to callers: what was sent before this mark has been played out
    clear,  // agent to callers: forget what has not been played yet
  };
  Kind kind = Kind::clear;
  std::string value;  // dtmf: the digit; mark: its name

  friend bool operator==(const PeerEvent&, const PeerEvent&) = default;
};

/// Lent to a session, which appends to it. Whoever lends it takes out what is there, in order
/// within each list.
struct Output {
  std::vector<Packet> packets;         // to be published under the stream that the role publishes
  std::vector<std::string> texts;      // text messages for the client of this session
  std::vector<PeerEvent> peer_events;  // for the other role

  void clear() {
    packets.clear();
    texts.clear();
    peer_events.clear();
  }
};

}  // namespace runnel::voice
