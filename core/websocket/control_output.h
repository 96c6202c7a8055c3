// The control frames that a connection owes its peer, in a bounded place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/websocket/byte_buffer.h"
#include "core/websocket/frame.h"

namespace runnel::websocket {

/// Every ping is answered as long as answers are taken; when kMaxWaiting bytes of them wait, only
/// the latest ping beyond is answered (RFC 6455 §5.5.3), so that a flood costs nothing.
class ControlOutput {
 public:
  static constexpr std::size_t kMaxWaiting = 2048;

  /// `masking_keys` for a client, and none for a server.
  explicit ControlOutput(RandomSource* masking_keys) noexcept : masking_keys_(masking_keys) {}

  /// `payload` is at most kMaxControlPayload bytes.
  void add_pong(ByteView payload);
  void add_ping(ByteView payload) { add(Opcode::ping, payload); }
  /// The last frame of this connection. Without a code there is no reason.
  void add_close(ByteView payload);

  [[nodiscard]] bool empty() const noexcept { return waiting_.empty() && !has_latest_pong_; }
  /// All that waits, as bytes for the wire; valid until the next call.
  [[nodiscard]] ByteView take();
  [[nodiscard]] std::size_t memory() const noexcept {
    return waiting_.capacity() + taken_.capacity();
  }

 private:
  void add(Opcode opcode, ByteView payload);
  void add_latest_pong();

  RandomSource* masking_keys_;
  ByteBuffer waiting_;
  ByteBuffer taken_;
  bool has_latest_pong_ = false;
  std::uint8_t latest_pong_size_ = 0;
  std::array<std::uint8_t, kMaxControlPayload> latest_pong_{};
};

}  // namespace runnel::websocket
