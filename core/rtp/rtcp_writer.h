// Writes RTCP packets one after the other into a compound.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/byte_writer.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::rtp {

/// Appends packets to a span. Like ByteWriter: check `overflowed()` once at the end; after an
/// overflow `written()` ends somewhere within a packet. The caller is responsible for the order
/// that RFC 3550 §6.1 asks of a compound (SR or RR first, then SDES), and for the stated limits,
/// whose violation aborts.
class RtcpWriter {
 public:
  explicit RtcpWriter(ByteSpan out) noexcept : writer_(out) {}

  /// At most 31 report blocks in each.
  void sender_report(const SenderReport& report, std::span<const ReportBlock> blocks = {}) noexcept;
  void receiver_report(std::uint32_t sender_ssrc, std::span<const ReportBlock> blocks) noexcept;
  /// One chunk with a CNAME of at most 255 bytes.
  void source_description(std::uint32_t ssrc, std::string_view cname) noexcept;
  /// One SSRC; reason of at most 255 bytes.
  void goodbye(std::uint32_t ssrc, std::string_view reason = {}) noexcept;
  void picture_loss_indication(std::uint32_t sender_ssrc, std::uint32_t media_ssrc) noexcept;
  /// The header's media SSRC is 0 and the entry names `media_ssrc` (RFC 5104 §4.3.1.2). A
  /// repetition of a request keeps its `command_sequence`.
  void full_intra_request(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
                          std::uint8_t command_sequence) noexcept;
  /// Generic NACK; `entries` from `build_nack`, 1 to 1024.
  void nack(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
            std::span<const NackEntry> entries) noexcept;
  /// REMB (see remb.h) for the streams of `ssrcs`, 1 to 255 of them. `bitrate` in bits per second,
  /// of which the upper 18 bits are said, rounded down.
  void receiver_estimated_maximum_bitrate(std::uint32_t sender_ssrc, std::uint64_t bitrate,
                                          std::span<const std::uint32_t> ssrcs) noexcept;

  [[nodiscard]] bool overflowed() const noexcept { return writer_.overflowed(); }
  [[nodiscard]] ByteSpan written() const noexcept { return writer_.written(); }

 private:
  ByteWriter writer_;
};

/// Packs lost sequence numbers (ascending in serial order) into NACK entries; answers how many were
/// used of `out`. What does not fit into `out` is left for another NACK.
[[nodiscard]] std::size_t build_nack(std::span<const std::uint16_t> lost,
                                     std::span<NackEntry> out) noexcept;

}  // namespace runnel::rtp
