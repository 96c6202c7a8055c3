#include "core/frames/nal_unit.h"

#include <cstring>

namespace runnel::frames {
namespace {

/// The position of the next 00 00 01 in the bytes, or their size.
std::size_t find_start_code(ByteView bytes) noexcept {
  std::size_t i = 2;
  while (i < bytes.size()) {
    const void* one = std::memchr(bytes.data() + i, 1, bytes.size() - i);
    if (one == nullptr) break;
    i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(one) - bytes.data());
    if (bytes[i - 1] == 0 && bytes[i - 2] == 0) return i - 2;
    ++i;
  }
  return bytes.size();
}

constexpr std::size_t kShortStartCodeSize = 3;

}  // namespace

AnnexBReader::AnnexBReader(ByteView stream) noexcept {
  const std::size_t start = find_start_code(stream);
  if (start != stream.size()) rest_ = stream.subspan(start + kShortStartCodeSize);
}

std::optional<ByteView> AnnexBReader::next() noexcept {
  while (!rest_.empty()) {
    const std::size_t end = find_start_code(rest_);
    ByteView unit = rest_.first(end);
    rest_ = end == rest_.size() ? ByteView() : rest_.subspan(end + kShortStartCodeSize);
    // A NAL unit never ends with a zero; those belong to the stream (H.264 and H.265, Annex B).
    while (!unit.empty() && unit.back() == 0) unit = unit.first(unit.size() - 1);
    if (!unit.empty()) return unit;
  }
  return std::nullopt;
}

std::optional<ByteView> AggregateReader::next() noexcept {
  if (rest_.empty() || malformed_) return std::nullopt;
  const std::size_t size =
      rest_.size() < kAggregatedLengthSize ? 0 : std::size_t{load_be16(rest_.data())};
  if (size == 0 || size > rest_.size() - kAggregatedLengthSize) {
    malformed_ = true;
    return std::nullopt;
  }
  const ByteView unit = rest_.subspan(kAggregatedLengthSize, size);
  rest_ = rest_.subspan(kAggregatedLengthSize + size);
  return unit;
}

}  // namespace runnel::frames
