// Frames into messages: unmasking in place, fragments joined, text checked, limits kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/utf8.h"
#include "core/websocket/byte_buffer.h"
#include "core/websocket/frame.h"
#include "core/websocket/limits.h"
#include "core/websocket/permessage_deflate.h"
#include "core/websocket/usual_frame.h"

namespace runnel::websocket {

/// What the reader has found.
struct Received {
  enum class Kind : std::uint8_t { nothing, message, control, failure };
  Kind kind = Kind::nothing;
  Opcode opcode = Opcode::binary;  // text or binary; close, ping or pong
  Error error{};                   // of a failure, after which next() must not be called
  ByteView payload{};
};

/// Reads what one peer sends. Buffers hold what has arrived and never what was only announced.
class MessageReader {
 public:
  /// `inflater` when permessage-deflate was agreed.
  MessageReader(Role role, const Limits& limits, std::optional<Inflater> inflater) noexcept;

  /// Lends bytes, which are changed in place, until next() has found nothing.
  void feed(ByteSpan bytes) noexcept { input_ = bytes; }
  [[nodiscard]] bool has_input() const noexcept { return !input_.empty(); }
  /// A view in what is found lies in the bytes lent or in this reader; it is valid until the next
  /// call and as long as the bytes lent are.
  [[nodiscard]] Received next() {
    if (may_be_usual_) {
      const UsualFrame frame = take_usual_frame(input_, max_usual_size_);
      if (frame.size != 0) {
        const auto opcode = static_cast<Opcode>(input_[0] & 0x0f);
        input_ = input_.subspan(frame.size);
        if (opcode == Opcode::text) return checked(opcode, frame.payload);
        return {.kind = Received::Kind::message,
                .opcode = opcode,
                .error = {},
                .payload = frame.payload};
      }
    }
    return find_and_look_ahead();
  }
  /// From now on only control frames are looked at; messages are skipped.
  void skip_messages() noexcept {
    skips_messages_ = true;
    is_over_ = true;
    may_be_usual_ = false;
  }
  /// From now on others hold, also of the message that is arriving.
  void set_limits(const Limits& limits) noexcept {
    limits_ = limits;
    max_usual_size_ = std::min(limits.max_frame_size, limits.max_message_size);
  }
  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  [[nodiscard]] Received find_and_look_ahead();
  [[nodiscard]] Received find();
  // Whether a frame has begun; false when its header has not arrived whole.
  [[nodiscard]] std::expected<bool, Error> begin_frame() noexcept;
  [[nodiscard]] DecodedFrameHeader read_header() noexcept;
  [[nodiscard]] std::optional<Error> place_in_message() noexcept;
  [[nodiscard]] Received read_payload();
  [[nodiscard]] Received read_control(ByteView piece, bool is_whole) noexcept;
  [[nodiscard]] Received read_data(ByteView piece, bool is_whole);
  [[nodiscard]] std::optional<Error> add_to_message(ByteView piece);
  [[nodiscard]] Received checked(Opcode opcode, ByteView payload) noexcept;
  [[nodiscard]] Received finish_message();
  [[nodiscard]] bool is_text_right(std::size_t from) noexcept;
  [[nodiscard]] Received fail(Error error) noexcept;

  ByteSpan input_;
  FrameRules rules_;
  Limits limits_;
  std::size_t max_usual_size_;
  std::optional<Inflater> inflater_;
  bool skips_messages_ = false;
  bool may_be_usual_ = false;  // the short way may be tried: nothing has begun

  // A header that has arrived in part.
  std::uint8_t partial_header_size_ = 0;
  std::array<std::uint8_t, kMaxFrameHeaderSize> partial_header_{};

  // The frame whose payload is being read.
  bool is_in_frame_ = false;
  FrameHeader frame_;
  std::uint64_t payload_left_ = 0;
  std::uint8_t control_size_ = 0;
  std::array<std::uint8_t, kMaxControlPayload> control_payload_{};

  // The message whose frames are being read, or that was handed out last.
  bool is_in_message_ = false;
  bool is_compressed_ = false;
  bool is_over_ = false;  // it was handed out, and can be forgotten
  Opcode message_opcode_ = Opcode::binary;
  std::size_t fragments_ = 0;
  Utf8Validator utf8_;
  ByteBuffer message_;
};

}  // namespace runnel::websocket
