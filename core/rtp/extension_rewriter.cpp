#include "core/rtp/extension_rewriter.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/check.h"
#include "core/rtp/header_extension.h"

namespace runnel::rtp {
namespace {

constexpr std::uint8_t kExtensionBit = 0x10;
constexpr std::uint8_t kMaxOneByteId = 14;
constexpr std::size_t kSendTimeSize = 3;
constexpr std::size_t kNumberSize = 2;

/// What a receiver's packets can carry.
constexpr std::array kWritten = {
    ExtensionKind::mid,
    ExtensionKind::absolute_send_time,
    ExtensionKind::transport_wide_number,
    ExtensionKind::audio_level,
    ExtensionKind::video_orientation,
    ExtensionKind::absolute_capture_time,
    ExtensionKind::color_space,
};

bool needs_two_byte_form(const ExtensionIds& ids) noexcept {
  return std::ranges::any_of(kWritten,
                             [&](ExtensionKind kind) { return ids[kind] > kMaxOneByteId; });
}

}  // namespace

ParsedExtensions ParsedExtensions::parse(const RtpPacketView& packet,
                                         const ExtensionIds& ids) noexcept {
  ParsedExtensions parsed;
  ExtensionReader reader(packet.extension_profile(), packet.extension_data());
  while (const auto element = reader.next()) {
    const auto kind = ids.kind_of(element->id);
    if (!kind) continue;
    Place& place = parsed.places_[static_cast<std::size_t>(*kind)];
    const auto offset = static_cast<std::size_t>(element->data.data() - packet.bytes().data());
    if (place.size != 0 || offset > std::numeric_limits<std::uint16_t>::max()) continue;
    place.offset = static_cast<std::uint16_t>(offset);
    place.size = static_cast<std::uint16_t>(element->data.size());
  }
  return parsed;
}

std::uint32_t absolute_send_time(Timestamp when) noexcept {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kCircle = 64 * kSecond;
  std::int64_t since = when.time_since_epoch().count() % kCircle;
  if (since < 0) since += kCircle;
  return static_cast<std::uint32_t>((since << 18) / kSecond);
}

ExtensionRewriter::ExtensionRewriter(const ExtensionIds& ids, std::string_view mid) noexcept
    : two_byte_(needs_two_byte_form(ids)) {
  RUNNEL_CHECK(mid.size() <= kMaxMidSize);
  store_be16(own_.data(), two_byte_ ? kTwoByteExtensionProfile : kOneByteExtensionProfile);
  if (!mid.empty()) {
    if (const std::size_t at = put_own(ids[ExtensionKind::mid], mid.size())) {
      std::memcpy(own_.data() + at, mid.data(), mid.size());
    }
  }
  send_time_at_ = put_own(ids[ExtensionKind::absolute_send_time], kSendTimeSize);
  number_at_ = put_own(ids[ExtensionKind::transport_wide_number], kNumberSize);
  forward(ExtensionKind::audio_level, ids[ExtensionKind::audio_level], 1, 1);
  forward(ExtensionKind::video_orientation, ids[ExtensionKind::video_orientation], 1, 1);
  // With the clock's offset, or without.
  forward(ExtensionKind::absolute_capture_time, ids[ExtensionKind::absolute_capture_time], 8, 16);
  // The form without the metadata of high dynamic range.
  forward(ExtensionKind::color_space, ids[ExtensionKind::color_space], 4, 4);
}

std::uint8_t* ExtensionRewriter::put_element_head(std::uint8_t* at, std::uint8_t id,
                                                  std::size_t size) const noexcept {
  if (two_byte_) {
    *at++ = id;
    *at++ = static_cast<std::uint8_t>(size);
  } else {
    *at++ = static_cast<std::uint8_t>(std::size_t{id} << 4 | (size - 1));
  }
  return at;
}

std::uint8_t ExtensionRewriter::put_own(std::uint8_t id, std::size_t size) noexcept {
  if (id == 0) return 0;
  put_element_head(own_.data() + own_size_, id, size);
  const auto at = static_cast<std::uint8_t>(own_size_ + element_head_size());
  own_size_ = static_cast<std::uint8_t>(at + size);
  return at;
}

void ExtensionRewriter::forward(ExtensionKind kind, std::uint8_t id, std::uint8_t size,
                                std::uint8_t long_size) noexcept {
  if (id != 0) forwarded_[forwarded_count_++] = {kind, id, size, long_size};
}

std::size_t ExtensionRewriter::write(ByteView packet, const ParsedExtensions& extensions,
                                     const OutgoingFields& fields, const ExtensionStamps& stamps,
                                     ByteSpan out) const noexcept {
  const std::size_t base = kFixedHeaderSize + 4 * std::size_t{packet[0] & 0x0fu};
  // Most packets have no CSRCs, and a copy of known size is a few instructions.
  std::memcpy(out.data(), packet.data(), kFixedHeaderSize);
  if (base != kFixedHeaderSize) {
    std::memcpy(out.data() + kFixedHeaderSize, packet.data() + kFixedHeaderSize,
                base - kFixedHeaderSize);
  }
  set_fields(out, fields);

  std::uint8_t* const extension = out.data() + base;
  std::memcpy(extension, own_.data(), own_.size());
  if (send_time_at_ != 0) store_be24(extension + send_time_at_, stamps.absolute_send_time);
  if (number_at_ != 0) store_be16(extension + number_at_, stamps.transport_wide_number);

  std::uint8_t* const elements = extension + kHeadSize;
  std::uint8_t* end = extension + own_size_;
  for (std::size_t i = 0; i < forwarded_count_; ++i) {
    const Forwarded& each = forwarded_[i];
    const ByteView data = extensions.data(packet, each.kind);
    if (data.empty() || (data.size() != each.size && data.size() != each.long_size)) continue;
    end = put_element_head(end, each.id, data.size());
    for (const std::uint8_t byte : data) *end++ = byte;
  }
  if (end == elements) {
    out[0] = static_cast<std::uint8_t>(out[0] & ~kExtensionBit);
    return base;
  }
  while ((end - elements) % 4 != 0) *end++ = 0;
  store_be16(extension + 2, static_cast<std::uint16_t>((end - elements) / 4));
  out[0] |= kExtensionBit;
  return base + kHeadSize + static_cast<std::size_t>(end - elements);
}

}  // namespace runnel::rtp
