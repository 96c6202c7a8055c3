// What one peer may make us hold; all in one place.
#pragma once

#include <cstddef>

namespace runnel::websocket {

struct Limits {
  /// Payload of one frame as it travels, in bytes.
  std::size_t max_frame_size = std::size_t{1} << 20;
  /// A whole message, decompressed, in bytes.
  std::size_t max_message_size = std::size_t{1} << 20;
  /// Frames of one message, control frames between them not counted.
  std::size_t max_fragments = 1024;
  /// Buffers that have grown larger than this are given back after the message.
  std::size_t kept_buffer_size = std::size_t{16} << 10;
};

}  // namespace runnel::websocket
