#include "core/transport/stream_framing.h"

#include <algorithm>

namespace runnel::transport {

bool has_shape_of_binding_request(ByteView packet) noexcept {
  constexpr std::size_t kHeaderSize = 20;
  constexpr std::uint16_t kBindingRequest = 0x0001;
  constexpr std::uint32_t kMagicCookie = 0x2112a442;
  return packet.size() >= kHeaderSize && load_be16(packet.data()) == kBindingRequest &&
         load_be16(packet.data() + 2) == packet.size() - kHeaderSize &&
         load_be32(packet.data() + 4) == kMagicCookie;
}

std::optional<StreamFrame> FrameReader::next(ByteView& input) {
  for (;;) {
    take_header(input);
    if (header_bytes_ < kFrameHeaderSize) return std::nullopt;
    const std::size_t here = std::min(size_ - taken_, input.size());
    const ByteView piece = input.first(here);
    input = input.subspan(here);
    if (here == size_) {
      const StreamFrame frame = finish(piece);
      if (frame.packet.empty()) continue;
      return frame;
    }
    if (taken_ == 0) unfinished_.clear();
    unfinished_.reserve(longest_);
    const std::size_t room = longest_ - unfinished_.size();
    unfinished_.insert(unfinished_.end(), piece.begin(),
                       piece.begin() + static_cast<std::ptrdiff_t>(std::min(here, room)));
    taken_ += here;
    if (taken_ < size_) return std::nullopt;
    return finish(unfinished_);
  }
}

void FrameReader::take_header(ByteView& input) noexcept {
  while (header_bytes_ < kFrameHeaderSize && !input.empty()) {
    size_ = size_ << 8 | input.front();
    input = input.subspan(1);
    ++header_bytes_;
  }
}

StreamFrame FrameReader::finish(ByteView packet) noexcept {
  const bool truncated = size_ > longest_;
  header_bytes_ = 0;
  size_ = 0;
  taken_ = 0;
  return {packet.first(std::min(packet.size(), longest_)), truncated};
}

}  // namespace runnel::transport
