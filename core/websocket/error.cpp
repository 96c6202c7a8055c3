#include "core/websocket/error.h"

namespace runnel::websocket {

std::string_view to_string(Error error) noexcept {
  switch (error) {
    case Error::reserved_bit:
      return "a reserved bit is set";
    case Error::reserved_opcode:
      return "reserved opcode";
    case Error::unmasked_frame:
      return "a client's frame is not masked";
    case Error::masked_frame:
      return "a server's frame is masked";
    case Error::fragmented_control:
      return "fragmented control frame";
    case Error::control_too_long:
      return "control frame of more than 125 bytes";
    case Error::length_not_minimal:
      return "payload length not in its shortest form";
    case Error::length_too_large:
      return "payload length of 64 bits";
    case Error::unexpected_continuation:
      return "continuation of no message";
    case Error::unfinished_message:
      return "new message before the end of the last";
    case Error::truncated_close_code:
      return "close code of one byte";
    case Error::invalid_close_code:
      return "close code that may not be sent";
    case Error::invalid_utf8:
      return "text is not UTF-8";
    case Error::invalid_compression:
      return "compressed data is broken";
    case Error::frame_too_big:
      return "frame too big";
    case Error::message_too_big:
      return "message too big";
    case Error::too_many_fragments:
      return "too many fragments";
    case Error::pong_timeout:
      return "no answer to a ping";
    case Error::close_timeout:
      return "no answer to a Close frame";
    case Error::transport_closed:
      return "transport closed without a closing handshake";
  }
  return "unknown";
}

CloseCode close_code(Error error) noexcept {
  switch (error) {
    case Error::invalid_utf8:
    case Error::invalid_compression:
      return CloseCode::invalid_payload;
    case Error::frame_too_big:
    case Error::message_too_big:
      return CloseCode::message_too_big;
    case Error::too_many_fragments:
      return CloseCode::policy_violation;
    case Error::pong_timeout:
      return CloseCode::internal_error;
    case Error::close_timeout:
    case Error::transport_closed:
      return CloseCode::abnormal;
    default:
      return CloseCode::protocol_error;
  }
}

}  // namespace runnel::websocket
