#include "daemon/signalling/websocket_conversation.h"

#include <array>
#include <utility>

namespace runnel::daemon {
namespace {

using websocket::Admission;
using websocket::MessageClass;

// Shorter texts gain nothing by compression.
constexpr std::size_t kMinCompressedSize = 256;
// 16 KiB for zlib's hash tables, beside the window that the handshake has agreed.
constexpr websocket::DeflateEffort kDeflateEffort{.level = 6, .memory_level = 5};

websocket::ConnectionOptions options_of(
    const WebSocketSettings& settings, const std::optional<websocket::DeflateParameters>& deflate) {
  websocket::ConnectionOptions options;
  options.limits = settings.limits_for_strangers;
  options.deflate = deflate;
  options.deflate_effort = kDeflateEffort;
  options.min_compressed_size = kMinCompressedSize;
  options.close_timeout = settings.close_timeout;
  options.ping_interval = settings.ping_interval;
  options.pong_timeout = settings.ping_interval;
  return options;
}

ByteView bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

MessageClass class_of(session::TextClass text_class) noexcept {
  return text_class == session::TextClass::statistics ? MessageClass::statistics
                                                      : MessageClass::signalling;
}

}  // namespace

WebSocketConversation::WebSocketConversation(
    const WebSocketSettings& settings, session::ConnectionId id,
    const std::optional<websocket::DeflateParameters>& deflate, Timestamp now, Output& output)
    : settings_(settings), id_(id), output_(output), socket_(now, options_of(settings, deflate)) {}

std::optional<websocket::Event> WebSocketConversation::next() {
  auto event = socket_.next();
  send_control();
  return event;
}

void WebSocketConversation::send_text(Timestamp now, session::TextClass text_class,
                                      std::string_view text) {
  const auto frame = socket_.frame(websocket::Opcode::text, bytes_of(text));
  if (!frame) return;
  const std::array parts{frame->header.view(), frame->payload};
  const Admission admission = output_.offer(class_of(text_class), parts);
  if (admission == Admission::accepted) return;
  socket_.not_sent();
  if (admission != Admission::overflow) return;
  is_too_slow_ = true;
  close(now, websocket::CloseCode::try_again_later, "the client reads too slowly");
}

void WebSocketConversation::send_media(const session::MediaMessage& message, bool more) {
  const ByteView header = ByteView(message.header).first(message.header_size);
  const auto frame =
      socket_.frame_header(websocket::Opcode::binary, header.size() + message.payload.size());
  if (!frame) return;
  const std::array parts{frame->view(), header, message.payload};
  // A refusal is counted by the queue; the desk has been told of the room and does not ask for it.
  if (more) {
    (void)output_.offer(MessageClass::media, parts);
  } else {
    (void)output_.send(MessageClass::media, parts);
  }
}

void WebSocketConversation::close(Timestamp now, websocket::CloseCode code,
                                  std::string_view reason) {
  socket_.close(now, code, reason);
  send_control();
}

bool WebSocketConversation::send_control() {
  if (!socket_.has_output() || output_.queue().holds_control()) return false;
  const ByteView frames = socket_.take_output();
  is_stuck_ = output_.offer(MessageClass::control, {&frames, 1}) != Admission::accepted;
  return !is_stuck_;
}

std::size_t WebSocketConversation::media_room() const noexcept {
  const std::size_t room = output_.media_room();
  return room > websocket::kMaxFrameHeaderSize ? room - websocket::kMaxFrameHeaderSize : 0;
}

void WebSocketConversation::handle_timeout(Timestamp now) {
  socket_.handle_timeout(now);
  send_control();
}

}  // namespace runnel::daemon
