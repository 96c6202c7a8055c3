// A protected packet taken apart: what its bytes say before any tag is checked.
#pragma once

#include <array>
#include <cstdint>
#include <expected>

#include "core/base/bytes.h"
#include "core/srtp/error.h"
#include "core/srtp/packet_index.h"
#include "core/srtp/packet_kind.h"
#include "core/srtp/receiver_state.h"

namespace runnel::srtp {

/// Borrows the packet. Nothing in it is trusted yet.
struct IncomingPacket {
  ByteSpan bytes;
  PacketKind kind = PacketKind::rtp;
  bool is_encrypted = true;  // RTP: always; RTCP: the E flag
  std::uint32_t ssrc = 0;
  std::uint16_t sequence_number = 0;  // RTP
  std::uint32_t index_word = 0;       // RTCP: E flag and index
  std::size_t header_size = 0;
  std::size_t clear_size = 0;  // header and ciphertext
  ByteView tag;
  SessionKey* key = nullptr;

  [[nodiscard]] ByteSpan ciphertext() const noexcept {
    return bytes.subspan(header_size, clear_size - header_size);
  }
};

/// Fails with `malformed`, `unknown_mki` or `too_long`.
[[nodiscard]] std::expected<IncomingPacket, Error> parse_incoming(ReceiverState& receiver,
                                                                  PacketKind kind,
                                                                  ByteSpan bytes) noexcept;

/// The indices that a packet may have: one when its SSRC is known or the index is sent along, up to
/// three for the first RTP packet of an SSRC, as many as is asked for after a long gap.
class CandidateIndices {
 public:
  explicit CandidateIndices(std::uint64_t index) noexcept : indices_{index}, size_(1) {}
  /// With the expected rollover counter, its successor and its predecessor, in this order: the
  /// packets before or after a wrap may have been lost (RFC 3711 §3.3.1 leaves the first one open).
  CandidateIndices(std::uint32_t expected_rollover_counter, std::uint16_t sequence_number) noexcept;
  /// After a gap of unknown length: the next indices behind `highest` that end in this sequence
  /// number, the nearest first, one for each of `rounds`. Empty where the key's last index is
  /// passed.
  [[nodiscard]] static CandidateIndices behind(std::uint64_t highest, std::uint16_t sequence_number,
                                               std::uint32_t rounds) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t operator[](std::size_t rank) const noexcept {
    if (rank < kNear) return indices_[rank];
    return indices_[kNear - 1] + (rank - (kNear - 1)) * kSequenceNumbers;
  }

 private:
  static constexpr std::size_t kNear = 3;

  CandidateIndices() noexcept = default;

  std::array<std::uint64_t, kNear> indices_{};  // those behind are each a round farther
  std::size_t size_ = 0;
};

}  // namespace runnel::srtp
