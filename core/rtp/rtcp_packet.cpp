#include "core/rtp/rtcp_packet.h"

#include <algorithm>

#include "core/base/byte_reader.h"
#include "core/rtp/packet_classifier.h"

namespace runnel::rtp {
namespace {

constexpr std::size_t kHeaderSize = 4;
constexpr std::size_t kSsrcSize = 4;
constexpr std::size_t kSenderInformationSize = 24;  // of an SR, the sender's SSRC included
constexpr std::size_t kReportBlockSize = 24;
constexpr std::size_t kApplicationNameSize = 4;
constexpr std::size_t kFeedbackHeaderSize = 8;  // SSRCs of sender and media source
constexpr std::size_t kNackEntrySize = 4;
constexpr std::size_t kFirEntrySize = 8;
constexpr std::uint8_t kEndOfChunk = 0;
constexpr std::uint8_t kCanonicalName = 1;

struct FramedPacket {
  RtcpPacketView view;
  std::size_t size;  // with header and padding
};

/// Takes the frame off the first packet of `rest`.
std::expected<FramedPacket, Error> first_packet(ByteView rest) noexcept {
  if (rest.size() < kHeaderSize) return std::unexpected(Error::truncated);
  if (rest[0] >> 6 != 2) return std::unexpected(Error::wrong_version);
  if (!is_rtcp_type(rest[1])) return std::unexpected(Error::bad_type);
  const std::size_t size = kHeaderSize + 4 * std::size_t{load_be16(rest.data() + 2)};
  if (size > rest.size()) return std::unexpected(Error::truncated);

  std::size_t padding = 0;
  if ((rest[0] & 0x20) != 0) {
    padding = rest[size - 1];
    const bool is_last = size == rest.size();
    if (!is_last || padding == 0 || padding > size - kHeaderSize) {
      return std::unexpected(Error::bad_padding);
    }
  }
  const ByteView body = rest.subspan(kHeaderSize, size - kHeaderSize - padding);
  return FramedPacket{{rest[1], static_cast<std::uint8_t>(rest[0] & 0x1f), body}, size};
}

/// Calls `on_item(ssrc, type, text)` for each item of an SDES packet; false when a chunk or an item
/// runs over the end. That the last chunk lacks its end is forgiven.
template <typename OnItem>
bool walk_source_description(const RtcpPacketView& packet, OnItem on_item) noexcept {
  ByteReader reader(packet.body);
  for (unsigned chunk = 0; chunk < packet.count; ++chunk) {
    const auto ssrc = reader.u32();
    if (!ssrc) return false;
    while (const std::uint8_t type = reader.u8().value_or(kEndOfChunk)) {
      const auto length = reader.u8();
      const auto text = length ? reader.take(*length) : std::nullopt;
      if (!text) return false;
      on_item(*ssrc, type, *text);
    }
    const std::size_t consumed = packet.body.size() - reader.remaining();
    if (!reader.take((4 - consumed % 4) % 4)) return false;
  }
  return true;
}

bool is_nack(const RtcpPacketView& packet) noexcept {
  return packet.is(RtcpType::transport_feedback) && packet.count == kTransportFeedbackNack;
}

bool is_fir(const RtcpPacketView& packet) noexcept {
  return packet.is(RtcpType::payload_feedback) && packet.count == kPayloadFeedbackFir;
}

/// `bytes` without its first `count`; empty when it is shorter.
ByteView after(ByteView bytes, std::size_t count) noexcept {
  return bytes.subspan(std::min(count, bytes.size()));
}

ByteView report_blocks(const RtcpPacketView& packet) noexcept {
  if (packet.is(RtcpType::sender_report)) return after(packet.body, kSenderInformationSize);
  if (packet.is(RtcpType::receiver_report)) return after(packet.body, kSsrcSize);
  return {};
}

ByteView nack_entries(const RtcpPacketView& packet) noexcept {
  return is_nack(packet) ? after(packet.body, kFeedbackHeaderSize) : ByteView{};
}

ByteView fir_entries(const RtcpPacketView& packet) noexcept {
  return is_fir(packet) ? after(packet.body, kFeedbackHeaderSize) : ByteView{};
}

bool goodbye_holds(const RtcpPacketView& packet) noexcept {
  const std::size_t sources_size = packet.count * kSsrcSize;
  if (packet.body.size() < sources_size) return false;
  const ByteView reason = after(packet.body, sources_size);
  return reason.empty() || reason[0] < reason.size();
}

bool feedback_holds(const RtcpPacketView& packet) noexcept {
  if (packet.body.size() < kFeedbackHeaderSize) return false;
  const std::size_t entry_size = is_nack(packet)  ? kNackEntrySize
                                 : is_fir(packet) ? kFirEntrySize
                                                  : 0;
  const std::size_t entries_size = packet.body.size() - kFeedbackHeaderSize;
  return entry_size == 0 || (entries_size != 0 && entries_size % entry_size == 0);
}

bool content_holds(const RtcpPacketView& packet) noexcept {
  const std::size_t size = packet.body.size();
  switch (static_cast<RtcpType>(packet.type)) {
    case RtcpType::sender_report:
      return size >= kSenderInformationSize + packet.count * kReportBlockSize;
    case RtcpType::receiver_report:
      return size >= kSsrcSize + packet.count * kReportBlockSize;
    case RtcpType::source_description:
      return walk_source_description(packet, [](std::uint32_t, std::uint8_t, ByteView) {});
    case RtcpType::goodbye:
      return goodbye_holds(packet);
    case RtcpType::application_defined:
      return size >= kSsrcSize + kApplicationNameSize;
    case RtcpType::transport_feedback:
    case RtcpType::payload_feedback:
      return feedback_holds(packet);
    case RtcpType::extended_report:
      return size >= kSsrcSize;
  }
  return true;
}

}  // namespace

std::expected<void, Error> check_rtcp(ByteView compound) noexcept {
  do {
    const auto packet = first_packet(compound);
    if (!packet) return std::unexpected(packet.error());
    if (!content_holds(packet->view)) return std::unexpected(Error::bad_length);
    compound = compound.subspan(packet->size);
  } while (!compound.empty());
  return {};
}

std::optional<RtcpPacketView> RtcpReader::next() noexcept {
  const auto packet = first_packet(rest_);
  if (!packet) {
    rest_ = {};
    return std::nullopt;
  }
  rest_ = rest_.subspan(packet->size);
  return packet->view;
}

std::expected<SenderReport, Error> parse_sender_report(const RtcpPacketView& packet) noexcept {
  if (!packet.is(RtcpType::sender_report)) return std::unexpected(Error::bad_type);
  if (!content_holds(packet)) return std::unexpected(Error::bad_length);
  const std::uint8_t* p = packet.body.data();
  return SenderReport{.ssrc = load_be32(p),
                      .ntp = {load_be64(p + 4)},
                      .rtp = {load_be32(p + 12)},
                      .packet_count = load_be32(p + 16),
                      .octet_count = load_be32(p + 20)};
}

std::size_t report_block_count(const RtcpPacketView& packet) noexcept {
  // What follows the promised blocks is a profile's extension (RFC 3550 §6.4.3).
  return std::min<std::size_t>(packet.count, report_blocks(packet).size() / kReportBlockSize);
}

ReportBlock report_block(const RtcpPacketView& packet, std::size_t index) noexcept {
  const std::uint8_t* p = report_blocks(packet).data() + index * kReportBlockSize;
  return {.ssrc = load_be32(p),
          .fraction_lost = p[4],
          .cumulative_lost = static_cast<std::int32_t>(load_be24(p + 5) << 8) >> 8,
          .extended_highest_sequence_number = load_be32(p + 8),
          .jitter = load_be32(p + 12),
          .last_sender_report = load_be32(p + 16),
          .delay_since_last_report = load_be32(p + 20)};
}

std::optional<std::uint32_t> sender_ssrc(const RtcpPacketView& packet) noexcept {
  if (packet.is(RtcpType::source_description) || packet.is(RtcpType::goodbye)) return std::nullopt;
  return ByteReader(packet.body).u32();
}

std::size_t goodbye_ssrc_count(const RtcpPacketView& packet) noexcept {
  if (!packet.is(RtcpType::goodbye)) return 0;
  return std::min<std::size_t>(packet.count, packet.body.size() / kSsrcSize);
}

std::uint32_t goodbye_ssrc(const RtcpPacketView& packet, std::size_t index) noexcept {
  return load_be32(packet.body.data() + index * kSsrcSize);
}

ByteView goodbye_reason(const RtcpPacketView& packet) noexcept {
  if (!packet.is(RtcpType::goodbye)) return {};
  ByteReader reader(after(packet.body, packet.count * kSsrcSize));
  const std::size_t length = reader.u8().value_or(0);
  return reader.take(length).value_or(ByteView{});
}

ByteView source_description_cname(const RtcpPacketView& packet, std::uint32_t ssrc) noexcept {
  ByteView cname;
  if (!packet.is(RtcpType::source_description)) return cname;
  walk_source_description(packet, [&](std::uint32_t of, std::uint8_t type, ByteView text) {
    if (of == ssrc && type == kCanonicalName && cname.empty()) cname = text;
  });
  return cname;
}

std::optional<std::uint32_t> feedback_media_ssrc(const RtcpPacketView& packet) noexcept {
  if (!packet.is(RtcpType::transport_feedback) && !packet.is(RtcpType::payload_feedback)) {
    return std::nullopt;
  }
  return ByteReader(after(packet.body, kSsrcSize)).u32();
}

std::size_t nack_entry_count(const RtcpPacketView& packet) noexcept {
  return nack_entries(packet).size() / kNackEntrySize;
}

NackEntry nack_entry(const RtcpPacketView& packet, std::size_t index) noexcept {
  const std::uint8_t* p = nack_entries(packet).data() + index * kNackEntrySize;
  return {.packet_id = load_be16(p), .lost_bitmask = load_be16(p + 2)};
}

std::size_t fir_entry_count(const RtcpPacketView& packet) noexcept {
  return fir_entries(packet).size() / kFirEntrySize;
}

FirEntry fir_entry(const RtcpPacketView& packet, std::size_t index) noexcept {
  const std::uint8_t* p = fir_entries(packet).data() + index * kFirEntrySize;
  return {.ssrc = load_be32(p), .command_sequence = p[4]};
}

}  // namespace runnel::rtp
