// RTCP as it is received (RFC 3550 §6, RFC 4585, RFC 5104, RFC 5506): a walk over a compound
// packet, and typed looks.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/error.h"

namespace runnel::rtp {

enum class RtcpType : std::uint8_t {
  sender_report = 200,
  receiver_report = 201,
  source_description = 202,
  goodbye = 203,
  application_defined = 204,
  transport_feedback = 205,  // RTPFB
  payload_feedback = 206,    // PSFB
  extended_report = 207,
};
inline constexpr std::uint8_t kTransportFeedbackNack = 1;
inline constexpr std::uint8_t kTransportFeedbackTransportWide = 15;
inline constexpr std::uint8_t kPayloadFeedbackPli = 1;
inline constexpr std::uint8_t kPayloadFeedbackFir = 4;
inline constexpr std::uint8_t kPayloadFeedbackApplication = 15;  // REMB

/// One packet of a compound. `body` follows the 4-byte header, without padding. Borrows.
struct RtcpPacketView {
  std::uint8_t type = 0;
  std::uint8_t count = 0;  // reception count, source count, or feedback message type
  ByteView body;
};

/// Checks a compound (or reduced-size, RFC 5506) packet as a whole: versions, lengths that add up
/// exactly, padding only in the last packet. After success the walk below cannot run out of bytes.
[[nodiscard]] std::expected<void, Error> check_rtcp(ByteView compound) noexcept;

/// Walks over a compound that `check_rtcp` has accepted.
class RtcpReader {
 public:
  explicit RtcpReader(ByteView compound) noexcept : rest_(compound) {}
  [[nodiscard]] std::optional<RtcpPacketView> next() noexcept;

 private:
  ByteView rest_;
};

/// One report block (RFC 3550 §6.4.1).
struct ReportBlock {
  std::uint32_t ssrc = 0;
  std::uint8_t fraction_lost = 0;
  std::int32_t cumulative_lost = 0;  // 24 bits, signed
  std::uint32_t extended_highest_sequence_number = 0;
  std::uint32_t jitter = 0;
  std::uint32_t last_sender_report = 0;       // middle 32 bits of NTP
  std::uint32_t delay_since_last_report = 0;  // 1/65536 s
};

struct SenderReport {
  std::uint32_t ssrc = 0;
  NtpTime ntp;
  RtpTime rtp;
  std::uint32_t packet_count = 0;
  std::uint32_t octet_count = 0;
};

/// Each parser answers an error when the body is shorter than its count promises.
[[nodiscard]] std::expected<SenderReport, Error> parse_sender_report(
    const RtcpPacketView&) noexcept;
/// Report blocks of an SR or RR: how many, and each by index (index < the count).
[[nodiscard]] std::size_t report_block_count(const RtcpPacketView&) noexcept;
[[nodiscard]] ReportBlock report_block(const RtcpPacketView&, std::size_t index) noexcept;

/// SSRC of the sender of any packet type but SDES and BYE: the first four bytes of the body.
[[nodiscard]] std::optional<std::uint32_t> sender_ssrc(const RtcpPacketView&) noexcept;

/// BYE: its SSRCs by index, and the reason (empty when absent).
[[nodiscard]] std::size_t goodbye_ssrc_count(const RtcpPacketView&) noexcept;
[[nodiscard]] std::uint32_t goodbye_ssrc(const RtcpPacketView&, std::size_t index) noexcept;
[[nodiscard]] ByteView goodbye_reason(const RtcpPacketView&) noexcept;

/// CNAME of an SSRC in an SDES packet; empty view when there is none.
[[nodiscard]] ByteView source_description_cname(const RtcpPacketView&, std::uint32_t ssrc) noexcept;

/// Feedback (RFC 4585 §6.1): the media source it is about; for PLI and NACK.
[[nodiscard]] std::optional<std::uint32_t> feedback_media_ssrc(const RtcpPacketView&) noexcept;

/// One FCI entry of a generic NACK: a sequence number and the bitmask of the 16 that follow.
struct NackEntry {
  std::uint16_t packet_id = 0;
  std::uint16_t lost_bitmask = 0;
};
[[nodiscard]] std::size_t nack_entry_count(const RtcpPacketView&) noexcept;
[[nodiscard]] NackEntry nack_entry(const RtcpPacketView&, std::size_t index) noexcept;

/// One FCI entry of a FIR (RFC 5104 §4.3.1): the SSRC in the entry counts, not the header's media
/// SSRC.
struct FirEntry {
  std::uint32_t ssrc = 0;
  std::uint8_t command_sequence = 0;
};
[[nodiscard]] std::size_t fir_entry_count(const RtcpPacketView&) noexcept;
[[nodiscard]] FirEntry fir_entry(const RtcpPacketView&, std::size_t index) noexcept;

}  // namespace runnel::rtp
