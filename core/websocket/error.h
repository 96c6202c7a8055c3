// Why a WebSocket connection fails, and the close code with which it says so (RFC 6455 §7.4).
#pragma once

#include <cstdint>
#include <string_view>

namespace runnel::websocket {

/// A status code of a Close frame (RFC 6455 §7.4, IANA's registry). Codes that are not named here,
/// such as 3000 to 4999, are values of this type as well.
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol_error = 1002,
  unsupported_data = 1003,
  no_status = 1005,  // a Close frame without a code; never on the wire
  abnormal = 1006,   // no Close frame at all; never on the wire
  invalid_payload = 1007,
  policy_violation = 1008,
  message_too_big = 1009,
  mandatory_extension = 1010,
  internal_error = 1011,
  service_restart = 1012,
  try_again_later = 1013,
  bad_gateway = 1014,
};

/// Whether an endpoint may put this code into a Close frame (RFC 6455 §7.4.2).
[[nodiscard]] constexpr bool is_allowed_on_wire(CloseCode code) noexcept {
  const auto value = static_cast<std::uint16_t>(code);
  return (value >= 1000 && value <= 1003) || (value >= 1007 && value <= 1014) ||
         (value >= 3000 && value <= 4999);
}

enum class Error : std::uint8_t {
  // Of one frame's header (RFC 6455 §5.2).
  reserved_bit,        // RSV1 to RSV3 without an extension that gives them a meaning
  reserved_opcode,     // 3 to 7 and 11 to 15
  unmasked_frame,      // from a client
  masked_frame,        // from a server
  fragmented_control,  // a control frame without FIN
  control_too_long,    // a control frame of more than 125 bytes
  length_not_minimal,  // 126 or 127 where less would do
  length_too_large,    // the most significant bit of the 64
  // Of the order of frames (§5.4).
  unexpected_continuation,  // without a message to continue
  unfinished_message,       // a new message before the last one's end
  // Of a Close frame (§5.5.1).
  truncated_close_code,
  invalid_close_code,
  // Of content.
  invalid_utf8,
  invalid_compression,
  // Of our limits.
  frame_too_big,
  message_too_big,
  too_many_fragments,
  // Of time and transport.
  pong_timeout,
  close_timeout,
  transport_closed,  // without a closing handshake
};

/// A few words, fit for the reason of a Close frame and for a log.
[[nodiscard]] std::string_view to_string(Error error) noexcept;

/// What the failing endpoint sends; `abnormal` where there is nobody left to send to.
[[nodiscard]] CloseCode close_code(Error error) noexcept;

}  // namespace runnel::websocket
