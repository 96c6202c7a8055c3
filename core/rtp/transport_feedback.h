// Transport-wide feedback: which numbered packets of a whole transport have arrived, and when
// (draft-holmer-rmcat-transport-wide-cc-extensions-01 §3.1).
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>

#include "core/base/byte_reader.h"
#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/error.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::rtp {

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                     SSRC of packet sender                     |
//  |                      SSRC of media source                     |
//  |      base sequence number     |      packet status count      |
//  |                 reference time                | fb pkt. count |
//  |          packet chunk         |         packet chunk ...      |
//  |  recv delta   |   ...         |  zeros up to a whole word     |

[[nodiscard]] inline bool is_transport_feedback(const RtcpPacketView& packet) noexcept {
  return packet.is(RtcpType::transport_feedback) && packet.count == kTransportFeedbackTransportWide;
}

/// What is said of one number.
struct TransportStatus {
  std::uint16_t number = 0;
  bool received = false;
  /// When, on the clock of whoever wrote the feedback, whose zero is arbitrary and which wraps with
  /// the reference time; nullopt also for what was received without a time (status 3).
  std::optional<Duration> arrival = std::nullopt;
};

/// Walks over the statuses of one feedback packet. Borrows from the packet.
class TransportFeedbackReader {
 public:
  /// Checks that every chunk and every delta that is promised is there, so that `next` always finds
  /// its bytes. Errors: bad_type for another packet; bad_length when it ends too early, or has a
  /// run of length 0.
  [[nodiscard]] static std::expected<TransportFeedbackReader, Error> parse(
      const RtcpPacketView& packet) noexcept;

  [[nodiscard]] std::uint32_t sender_ssrc() const noexcept { return load_be32(body_.data()); }
  [[nodiscard]] std::uint32_t media_ssrc() const noexcept { return load_be32(body_.data() + 4); }
  [[nodiscard]] std::uint16_t base_number() const noexcept { return load_be16(body_.data() + 8); }
  /// How many statuses there are, received or not.
  [[nodiscard]] std::uint16_t status_count() const noexcept { return load_be16(body_.data() + 10); }
  /// In units of 64 ms; 24 bits with a sign.
  [[nodiscard]] std::int32_t reference_time() const noexcept;
  /// Counts the feedback packets, modulo 256.
  [[nodiscard]] std::uint8_t feedback_number() const noexcept { return body_[15]; }

  /// nullopt after the last one.
  [[nodiscard]] std::optional<TransportStatus> next() noexcept;

 private:
  explicit TransportFeedbackReader(ByteView body) noexcept;
  [[nodiscard]] bool holds() noexcept;
  [[nodiscard]] std::uint8_t next_symbol() noexcept;

  ByteView body_;
  ByteReader chunks_;
  ByteReader deltas_;
  std::uint16_t chunk_ = 0;
  std::uint16_t left_in_chunk_ = 0;
  std::uint16_t done_ = 0;    // statuses
  std::int64_t arrival_ = 0;  // of the last received, in units of 250 us
};

/// Writes one feedback packet, status by status.
class TransportFeedbackWriter {
 public:
  struct Head {
    std::uint32_t sender_ssrc = 0;
    /// One of the SSRCs of the peer that sends the media: Chromium ignores feedback on SSRC 0.
    std::uint32_t media_ssrc = 0;
    std::uint16_t base_number = 0;
    std::uint8_t feedback_number = 0;
    /// When the first of the packets that will be called received arrived.
    Timestamp first_arrival{};
  };
  /// The smallest room in which one status always fits.
  static constexpr std::size_t kMinSize = 28;
  /// What is used of a longer `out`.
  static constexpr std::size_t kMaxSize = 1200;

  TransportFeedbackWriter(const Head& head, ByteSpan out) noexcept;

  /// The status of the next number; nullopt: has not been received. False when it does not fit: by
  /// size, by their number (65535 at most), or because the arrival is more than 8.19 s away from
  /// the one before; then the packet ends before it, and the next begins with it.
  [[nodiscard]] bool add(std::optional<Timestamp> arrival) noexcept;
  [[nodiscard]] std::uint16_t status_count() const noexcept { return count_; }
  /// Completes the packet and answers its size, a multiple of four; 0 when nothing was added. It
  /// ends with zeros instead of RTCP padding, which would have to stand at the end of a compound.
  /// Nothing may be added afterwards.
  [[nodiscard]] std::size_t finish() noexcept;

 private:
  static constexpr std::uint16_t kSymbols = 14;       // that one chunk holds
  static constexpr std::uint16_t kTwoBitSymbols = 7;  // of two bits each

  void put_symbol(std::uint8_t symbol) noexcept;
  void wait(std::uint8_t symbol) noexcept;
  void put_run() noexcept;
  void put_vector() noexcept;
  void put_vector_of_two_bits() noexcept;
  void put_chunk(std::uint16_t chunk) noexcept;

  Head head_;
  ByteSpan out_;
  std::size_t size_;  // of header and chunks, in `out_`
  std::uint16_t count_ = 0;
  std::int64_t reference_;  // in units of 64 ms
  std::int64_t arrival_;    // of the last received, in units of 250 us
  // Symbols that are in no chunk yet: a run of one symbol, or a few different ones.
  std::array<std::uint8_t, kSymbols> waiting_{};
  std::uint16_t waiting_count_ = 0;
  bool waiting_equal_ = true;
  bool waiting_large_ = false;  // one of them needs two bits
  std::array<std::uint8_t, kMaxSize> deltas_;
  std::size_t deltas_size_ = 0;
};

}  // namespace runnel::rtp
