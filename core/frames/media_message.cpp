#include "core/frames/media_message.h"

#include "core/base/byte_reader.h"
#include "core/base/byte_writer.h"

namespace runnel::frames {
namespace {

constexpr std::uint8_t kKeyFrame = 0x01;
constexpr std::uint8_t kDiscontinuity = 0x02;

}  // namespace

MediaHeaderBytes::MediaHeaderBytes(const MediaHeader& header) noexcept : size_(header.size()) {
  ByteWriter writer(bytes_);
  writer.u8(static_cast<std::uint8_t>(kMediaMessageVersion << 4 |
                                      static_cast<std::uint8_t>(header.kind)));
  writer.u8(static_cast<std::uint8_t>((header.key_frame ? kKeyFrame : 0) |
                                      (header.discontinuity ? kDiscontinuity : 0)));
  writer.u16(header.channel);
  if (header.kind == MessageKind::encoded_frame) writer.u64(header.timestamp_us);
}

std::string_view to_string(MediaMessageError error) noexcept {
  switch (error) {
    case MediaMessageError::too_short:
      return "too_short";
    case MediaMessageError::unknown_version:
      return "unknown_version";
    case MediaMessageError::unknown_kind:
      return "unknown_kind";
  }
  return "unknown";
}

std::expected<MediaMessage, MediaMessageError> parse_media_message(ByteView message) noexcept {
  ByteReader reader(message);
  const auto version_and_kind = reader.u8();
  if (!version_and_kind) return std::unexpected(MediaMessageError::too_short);
  if (*version_and_kind >> 4 != kMediaMessageVersion) {
    return std::unexpected(MediaMessageError::unknown_version);
  }
  const auto kind = static_cast<MessageKind>(*version_and_kind & 0x0f);
  if (kind != MessageKind::rtp_packet && kind != MessageKind::encoded_frame) {
    return std::unexpected(MediaMessageError::unknown_kind);
  }

  const auto flags = reader.u8();
  const auto channel = reader.u16();
  std::optional<std::uint64_t> timestamp = 0;
  if (kind == MessageKind::encoded_frame) timestamp = reader.u64();
  if (!flags || !channel || !timestamp || reader.remaining() == 0) {
    return std::unexpected(MediaMessageError::too_short);
  }
  return MediaMessage{.header = {.kind = kind,
                                 .key_frame = (*flags & kKeyFrame) != 0,
                                 .discontinuity = (*flags & kDiscontinuity) != 0,
                                 .channel = *channel,
                                 .timestamp_us = *timestamp},
                      .body = reader.rest()};
}

}  // namespace runnel::frames
