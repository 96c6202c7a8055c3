#include "core/frames/av1_obu.h"

#include <algorithm>

namespace runnel::frames {
namespace {

constexpr std::size_t kMaxLeb128Size = 8;

/// Header and extension of the OBU that begins the bytes, as they would be sent; nullopt when they
/// are not there, or the forbidden bit is set.
std::optional<Obu> parse_header(ByteView bytes) noexcept {
  if (bytes.empty() || (bytes[0] & 0x80) != 0) return std::nullopt;
  Obu obu;
  obu.header[0] = static_cast<std::uint8_t>(bytes[0] & ~kObuHasSize);
  obu.header_size = 1;
  if ((bytes[0] & kObuHasExtension) == 0) return obu;
  if (bytes.size() < 2) return std::nullopt;
  obu.header[1] = bytes[1];
  obu.header_size = 2;
  return obu;
}

}  // namespace

std::optional<Leb128> read_leb128(ByteView bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), kMaxLeb128Size); ++i) {
    value |= std::uint64_t{bytes[i] & 0x7fu} << (7 * i);
    if ((bytes[i] & 0x80) != 0) continue;
    if (value > 0xffffffff) return std::nullopt;
    return Leb128{static_cast<std::uint32_t>(value), i + 1};
  }
  return std::nullopt;
}

std::size_t leb128_size(std::uint32_t value) noexcept {
  std::size_t size = 1;
  while (value >= 0x80) {
    value >>= 7;
    ++size;
  }
  return size;
}

std::size_t write_leb128(std::uint8_t* out, std::uint32_t value) noexcept {
  std::size_t size = 0;
  while (value >= 0x80) {
    out[size++] = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  out[size++] = static_cast<std::uint8_t>(value);
  return size;
}

void Obu::copy(std::size_t offset, ByteSpan out) const noexcept {
  while (!out.empty() && offset < header_size) {
    out[0] = header[offset++];
    out = out.subspan(1);
  }
  if (out.empty()) return;
  const ByteView from = payload.subspan(offset - header_size);
  copy_bytes(out, from.first(std::min(from.size(), out.size())));
}

std::optional<Obu> ObuReader::next() noexcept {
  auto obu = parse_header(rest_);
  if (!obu) return std::nullopt;
  const bool has_size = (rest_[0] & kObuHasSize) != 0;
  rest_ = rest_.subspan(obu->header_size);
  std::size_t size = rest_.size();
  if (has_size) {
    const auto field = read_leb128(rest_);
    if (!field || field->value > rest_.size() - field->size) return std::nullopt;
    rest_ = rest_.subspan(field->size);
    size = field->value;
  }
  obu->payload = rest_.first(size);
  rest_ = rest_.subspan(size);
  return obu;
}

std::optional<Obu> parse_obu_element(ByteView element) noexcept {
  auto obu = parse_header(element);
  if (!obu) return std::nullopt;
  obu->payload = element.subspan(obu->header_size);
  if ((element[0] & kObuHasSize) == 0) return obu;
  const auto field = read_leb128(obu->payload);
  if (!field) return std::nullopt;
  obu->payload = obu->payload.subspan(field->size);
  if (field->value < obu->payload.size()) obu->payload = obu->payload.first(field->value);
  return obu;
}

bool has_frame_header(const Obu& obu) noexcept {
  return (obu.type() == ObuType::frame || obu.type() == ObuType::frame_header) &&
         !obu.payload.empty();
}

bool is_key_frame_header(const Obu& obu) noexcept {
  // show_existing_frame and the two bits of frame_type, of which 0 is KEY_FRAME.
  return has_frame_header(obu) && (obu.payload[0] & 0xe0) == 0;
}

ObuElementReader::ObuElementReader(ByteView payload) noexcept {
  if (payload.size() < 2) {
    malformed_ = true;
    return;
  }
  header_ = payload[0];
  elements_left_ = (header_ >> 4) & 0x03;
  rest_ = payload.subspan(1);
}

std::optional<ByteView> ObuElementReader::next() noexcept {
  if (done()) return std::nullopt;
  std::size_t size = rest_.size();
  // With W the last element reaches to the end of the payload; all others have a length.
  if (elements_left_ != 1) {
    const auto length = read_leb128(rest_);
    if (!length || length->value == 0 || length->value > rest_.size() - length->size) {
      malformed_ = true;
      return std::nullopt;
    }
    rest_ = rest_.subspan(length->size);
    size = length->value;
  }
  const ByteView element = rest_.first(size);
  rest_ = rest_.subspan(size);
  if (elements_left_ > 0) --elements_left_;
  if (rest_.empty() && elements_left_ > 0) malformed_ = true;
  return element;
}

}  // namespace runnel::frames
