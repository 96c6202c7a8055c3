// One frame's header on the wire (RFC 6455 §5.2).
//
//    0               1               2               3
//   +-+-+-+-+-------+-+-------------+-------------------------------+
//   |F|R|R|R| opcode|M| payload len |  extended payload length      |
//   |I|S|S|S|  (4)  |A|     (7)     |  (16 when len = 126,          |
//   |N|V|V|V|       |S|             |   64 when len = 127)          |
//   | |1|2|3|       |K|             |                               |
//   +-+-+-+-+-------+-+-------------+-------------------------------+
//   |  masking key (0 or 4 bytes)   |  payload ...                  |
//   +-------------------------------+-------------------------------+
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/crypto/xor.h"
#include "core/websocket/error.h"

namespace runnel::websocket {

using crypto::MaskingKey;

/// Which end of a connection; clients mask what they send, servers do not (RFC 6455 §5.1).
enum class Role : std::uint8_t { server, client };

enum class Opcode : std::uint8_t {
  continuation = 0x0,
  text = 0x1,
  binary = 0x2,
  close = 0x8,
  ping = 0x9,
  pong = 0xa,
};

[[nodiscard]] constexpr bool is_control(Opcode opcode) noexcept {
  return (static_cast<std::uint8_t>(opcode) & 0x8) != 0;
}

inline constexpr std::size_t kMaxControlPayload = 125;
inline constexpr std::size_t kMaxFrameHeaderSize = 14;

inline constexpr std::uint8_t kFin = 0x80;
inline constexpr std::uint8_t kRsv1 = 0x40;
inline constexpr std::uint8_t kMasked = 0x80;
inline constexpr std::uint8_t kLengthIn16Bits = 126;
inline constexpr std::uint8_t kLengthIn64Bits = 127;

struct FrameHeader {
  bool fin = true;
  bool rsv1 = false;  // the first frame of a compressed message (RFC 7692 §6)
  Opcode opcode = Opcode::binary;
  std::optional<MaskingKey> masking_key = std::nullopt;  // frames of a client
  std::uint64_t payload_size = 0;                        // in bytes, below 2^63
};

/// A header as it goes on the wire.
class FrameHeaderBytes {
 public:
  [[nodiscard]] ByteView view() const noexcept { return ByteView(bytes_).first(size_); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Written where it stays: a copy of bytes that were stored one by one stalls the processor for
  /// longer than all of the writing takes.
  void assign(const FrameHeader& header) noexcept {
    std::uint8_t* p = bytes_.data();
    *p++ = static_cast<std::uint8_t>((header.fin ? kFin : 0) | (header.rsv1 ? kRsv1 : 0) |
                                     static_cast<unsigned>(header.opcode));
    const unsigned masked = header.masking_key ? kMasked : 0;
    if (header.payload_size < kLengthIn16Bits) {
      *p++ = static_cast<std::uint8_t>(masked | header.payload_size);
    } else if (header.payload_size <= 0xffff) {
      *p++ = static_cast<std::uint8_t>(masked | kLengthIn16Bits);
      store_be16(p, static_cast<std::uint16_t>(header.payload_size));
      p += 2;
    } else {
      *p++ = static_cast<std::uint8_t>(masked | kLengthIn64Bits);
      store_be64(p, header.payload_size);
      p += 8;
    }
    if (header.masking_key) {
      std::memcpy(p, header.masking_key->data(), header.masking_key->size());
      p += header.masking_key->size();
    }
    size_ = static_cast<std::uint8_t>(p - bytes_.data());
  }

 private:
  std::array<std::uint8_t, kMaxFrameHeaderSize> bytes_;
  std::uint8_t size_ = 0;
};

[[nodiscard]] inline FrameHeaderBytes encode(const FrameHeader& header) noexcept {
  FrameHeaderBytes bytes;
  bytes.assign(header);
  return bytes;
}

/// What a receiver takes for granted about the frames of its peer.
struct FrameRules {
  Role receiver = Role::server;
  bool is_rsv1_allowed = false;  // permessage-deflate was agreed
};

struct DecodedFrameHeader {
  enum class Status : std::uint8_t { complete, incomplete, invalid };
  Status status = Status::incomplete;
  Error error{};          // when invalid
  std::uint8_t size = 0;  // bytes of the header, when complete
  FrameHeader header;     // when complete
};

/// Takes a header from the front of `bytes`, and says what is wrong with it as soon as the bytes
/// that show it are there. Whether the frame fits to those before it is not asked here.
[[nodiscard]] DecodedFrameHeader decode_frame_header(ByteView bytes, FrameRules rules) noexcept;

}  // namespace runnel::websocket
