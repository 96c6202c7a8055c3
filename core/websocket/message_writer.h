// Messages into frames: a header to gather with the payload, compressed or masked where need be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/websocket/byte_buffer.h"
#include "core/websocket/frame.h"
#include "core/websocket/permessage_deflate.h"

namespace runnel::websocket {

/// One message as a single frame: header and payload leave one after the other.
struct OutgoingFrame {
  FrameHeaderBytes header;
  ByteView payload{};
};

enum class Compression : std::uint8_t { where_agreed, never };

class MessageWriter {
 public:
  /// `masking_keys` for a client, and none for a server. `deflater` when permessage-deflate was
  /// agreed; messages shorter than `min_compressed_size` go uncompressed all the same.
  MessageWriter(RandomSource* masking_keys, std::optional<Deflater> deflater,
                std::size_t min_compressed_size, std::size_t kept_buffer_size) noexcept;

  /// Sets `out`. Its payload is the caller's own where a server does not compress, and otherwise
  /// lies here until the next call.
  void frame(Opcode opcode, ByteView payload, Compression compression, OutgoingFrame& out) {
    if (deflater_ || masking_keys_ != nullptr) return code(opcode, payload, compression, out);
    out.header.assign({.opcode = opcode, .payload_size = payload.size()});
    out.payload = payload;
  }
  /// The last frame was not sent after all.
  void not_sent() noexcept {
    if (deflater_) deflater_->forget();
  }
  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  void code(Opcode opcode, ByteView payload, Compression compression, OutgoingFrame& out);

  RandomSource* masking_keys_;
  std::optional<Deflater> deflater_;
  std::size_t min_compressed_size_;
  std::size_t kept_buffer_size_;
  ByteBuffer coded_;
};

}  // namespace runnel::websocket
