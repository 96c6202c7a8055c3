#include "core/rtp/rtp_packet.h"

#include "core/base/byte_writer.h"
#include "core/base/check.h"
#include "core/rtp/packet_classifier.h"

namespace runnel::rtp {
namespace {

constexpr std::uint8_t kVersion = 2;
constexpr std::uint8_t kPaddingBit = 0x20;
constexpr std::uint8_t kExtensionBit = 0x10;
constexpr std::uint8_t kMarkerBit = 0x80;
constexpr std::size_t kExtensionHeaderSize = 4;
constexpr std::size_t kMaxExtensionWords = 0xffff;

std::size_t size_with_contributing_sources(ByteView packet) noexcept {
  return kFixedHeaderSize + 4 * std::size_t{packet[0] & 0x0fu};
}

}  // namespace

std::expected<std::size_t, Error> header_size(ByteView packet) noexcept {
  if (packet.size() < kFixedHeaderSize) return std::unexpected(Error::truncated);
  if (packet[0] >> 6 != kVersion) return std::unexpected(Error::wrong_version);
  std::size_t size = size_with_contributing_sources(packet);
  if (packet.size() < size) return std::unexpected(Error::truncated);
  if ((packet[0] & kExtensionBit) == 0) return size;
  if (packet.size() < size + kExtensionHeaderSize) return std::unexpected(Error::bad_extension);
  size += kExtensionHeaderSize + 4 * std::size_t{load_be16(packet.data() + size + 2)};
  if (packet.size() < size) return std::unexpected(Error::bad_extension);
  return size;
}

std::expected<RtpPacketView, Error> RtpPacketView::parse(ByteView packet) noexcept {
  const auto header = header_size(packet);
  if (!header) return std::unexpected(header.error());
  if (is_rtcp_type(packet[1])) return std::unexpected(Error::bad_type);
  if ((packet[0] & kPaddingBit) == 0) return RtpPacketView(packet, *header, 0);
  const std::size_t padding = packet.back();
  if (padding == 0 || padding > packet.size() - *header) {
    return std::unexpected(Error::bad_padding);
  }
  return RtpPacketView(packet, *header, padding);
}

std::uint16_t RtpPacketView::extension_profile() const noexcept {
  return has_extension() ? load_be16(bytes_.data() + size_with_contributing_sources(bytes_)) : 0;
}

ByteView RtpPacketView::extension_data() const noexcept {
  if (!has_extension()) return {};
  return header().subspan(size_with_contributing_sources(bytes_) + kExtensionHeaderSize);
}

std::size_t write_header(const RtpHeader& header, ByteSpan out) noexcept {
  const std::size_t sources = header.contributing_sources.size();
  const std::size_t extension_words = header.extension_data.size() / 4;
  RUNNEL_CHECK(sources <= kMaxContributingSources);
  RUNNEL_CHECK(header.extension_data.size() % 4 == 0 && extension_words <= kMaxExtensionWords);

  ByteWriter writer(out);
  writer.u8(static_cast<std::uint8_t>(kVersion << 6 | (header.padding ? kPaddingBit : 0) |
                                      (header.extension_profile ? kExtensionBit : 0) | sources));
  writer.u8(
      static_cast<std::uint8_t>((header.marker ? kMarkerBit : 0) | (header.payload_type & 0x7f)));
  writer.u16(header.sequence_number);
  writer.u32(header.timestamp.value);
  writer.u32(header.ssrc);
  for (const std::uint32_t source : header.contributing_sources) writer.u32(source);
  if (header.extension_profile) {
    writer.u16(*header.extension_profile);
    writer.u16(static_cast<std::uint16_t>(extension_words));
    writer.bytes(header.extension_data);
  }
  return writer.overflowed() ? 0 : writer.size();
}

}  // namespace runnel::rtp
