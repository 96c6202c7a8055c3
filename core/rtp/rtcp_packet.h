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

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |V=2|P|  count  |     type      |  length in 32-bit words, less |
//  |                               |  one                          |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |  body, and padding (P=1) whose last byte counts it ...

/// One packet of a compound. `body` follows the 4-byte header, without padding. Borrows.
struct RtcpPacketView {
  std::uint8_t type = 0;
  std::uint8_t count = 0;  // reception count, source count, or feedback message type
  ByteView body;

  [[nodiscard]] bool is(RtcpType what) const noexcept {
    return type == static_cast<std::uint8_t>(what);
  }
};

/// Checks a compound (or reduced-size, RFC 5506) packet as a whole: versions, types of RTCP,
/// lengths that add up exactly, padding only in the last packet; and for each type of `RtcpType`,
/// NACK and FIR that the body holds what its count or length promises. Packets of other types, and
/// other feedback, are only framed. After success everything below finds its bytes.
[[nodiscard]] std::expected<void, Error> check_rtcp(ByteView compound) noexcept;

/// Walks over a compound that `check_rtcp` has accepted; of any other bytes it yields the packets
/// before the first that is not framed rightly.
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

/// An error when it is another type, or the body is shorter than its count promises.
[[nodiscard]] std::expected<SenderReport, Error> parse_sender_report(
    const RtcpPacketView&) noexcept;
/// In what follows, a count is 0 when the packet is of another type, and an index must be less than
/// its count.

/// Report blocks of an SR or RR.
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
