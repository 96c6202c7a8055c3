// The binary WebSocket message of media: a small header and one RTP packet or one encoded frame.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel::frames {

// All integers are big-endian. The timestamp is there in messages of kind 1 only.
//
//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |version| kind  |0 0 0 0 0 0|D|K|            channel            |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                                                               |
//  +        presentation timestamp in microseconds (kind 1)        +
//  |                                                               |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |      kind 0: one RTP packet   kind 1: one encoded frame ...   |
//
//  version  1.
//  kind     0: RTP packet. 1: encoded frame.
//  D 0x02   discontinuity: something before this on the channel was lost or dropped.
//  K 0x01   kind 0: the packet begins a key frame. kind 1: the frame is a key frame. Always set for
//           audio by Runnel, and of no meaning to it when received with kind 0.
//  The other six flags are zero when sent and ignored when received.
//  channel  the number that the signalling answer gave to one track of one leg.

inline constexpr std::uint8_t kMediaMessageVersion = 1;
inline constexpr std::size_t kMaxMediaHeaderSize = 12;

enum class MessageKind : std::uint8_t { rtp_packet = 0, encoded_frame = 1 };

struct MediaHeader {
  MessageKind kind = MessageKind::rtp_packet;
  bool key_frame = false;
  bool discontinuity = false;
  std::uint16_t channel = 0;
  /// Presentation time from any origin; encoded frames only.
  std::uint64_t timestamp_us = 0;

  /// 4 or 12.
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return kind == MessageKind::encoded_frame ? 12 : 4;
  }
  friend bool operator==(const MediaHeader&, const MediaHeader&) = default;
};

/// A header's bytes, to be sent before the packet or the frame.
class MediaHeaderBytes {
 public:
  explicit MediaHeaderBytes(const MediaHeader& header) noexcept;
  [[nodiscard]] ByteView view() const noexcept { return ByteView(bytes_).first(size_); }

 private:
  std::array<std::uint8_t, kMaxMediaHeaderSize> bytes_{};
  std::size_t size_;
};

enum class MediaMessageError : std::uint8_t {
  too_short,        // ends within the header, or nothing follows the header
  unknown_version,  // not 1
  unknown_kind,     // neither 0 nor 1
};
[[nodiscard]] std::string_view to_string(MediaMessageError error) noexcept;

struct MediaMessage {
  MediaHeader header;
  ByteView body;  // the RTP packet or the frame; borrows from the message; never empty
};

[[nodiscard]] std::expected<MediaMessage, MediaMessageError> parse_media_message(
    ByteView message) noexcept;

}  // namespace runnel::frames
