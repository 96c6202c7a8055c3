// Packets on a byte stream, each behind its length (RFC 4571), as ICE does over TCP (RFC 6544).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bytes.h"

namespace runnel::transport {

//   0                   1
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5     RFC 4571 §2
//  +-------------------------------+
//  |         LENGTH of the packet  |    big-endian, without itself
//  +-------------------------------+
//  |   packet: STUN, DTLS, SRTP ...
//  +-------------------------------
inline constexpr std::size_t kFrameHeaderSize = 2;
inline constexpr std::size_t kMaxFrameSize = 65'535;

/// What goes before a packet of `size` bytes, kMaxFrameSize at most.
[[nodiscard]] constexpr std::array<std::uint8_t, kFrameHeaderSize> frame_header(
    std::size_t size) noexcept {
  return {static_cast<std::uint8_t>(size >> 8), static_cast<std::uint8_t>(size)};
}

/// Whether a packet is a STUN Binding request by its shape (RFC 8489 §5), with which every path
/// begins: type, magic cookie and length. Whose it is remains to be seen.
[[nodiscard]] bool has_shape_of_binding_request(ByteView packet) noexcept;

struct StreamFrame {
  ByteView packet;         // its first FrameReader::longest() bytes at most
  bool truncated = false;  // it was longer
};

/// Takes frames off a stream that comes in pieces of any size. Keeps one unfinished packet, and
/// allocates once, for the first of those. Every stream of bytes is a sequence of frames, so that
/// there are no errors.
class FrameReader {
 public:
  /// Of longer packets the rest is skipped.
  explicit FrameReader(std::size_t longest) noexcept : longest_(longest) {}

  /// Takes bytes off the front of `input`. nullopt: all of it is taken, and no further frame is
  /// whole. The packet is valid until the next call and as long as the input is; empty ones, which
  /// mean nothing, are left out.
  [[nodiscard]] std::optional<StreamFrame> next(ByteView& input);

  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

 private:
  void take_header(ByteView& input) noexcept;
  [[nodiscard]] StreamFrame finish(ByteView packet) noexcept;

  std::size_t longest_;
  std::size_t header_bytes_ = 0;  // that have come of this frame's header
  std::size_t size_ = 0;          // as far as the header has come
  std::size_t taken_ = 0;         // of this frame's packet
  std::vector<std::uint8_t> unfinished_;
};

}  // namespace runnel::transport
