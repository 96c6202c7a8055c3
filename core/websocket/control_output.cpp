#include "core/websocket/control_output.h"

#include <utility>

namespace runnel::websocket {

void ControlOutput::add(Opcode opcode, ByteView payload) {
  FrameHeader header{.opcode = opcode, .payload_size = payload.size()};
  if (masking_keys_ != nullptr) {
    header.masking_key.emplace();
    masking_keys_->fill(*header.masking_key);
  }
  waiting_.append(encode(header).view());
  waiting_.append(payload);
  if (header.masking_key) {
    crypto::xor_masking_key(waiting_.span().last(payload.size()), *header.masking_key);
  }
}

void ControlOutput::add_pong(ByteView payload) {
  const std::size_t size = kMaxFrameHeaderSize + payload.size();
  if (!has_latest_pong_ && waiting_.size() + size <= kMaxWaiting) {
    return add(Opcode::pong, payload);
  }
  has_latest_pong_ = true;
  latest_pong_size_ = static_cast<std::uint8_t>(payload.size());
  copy_bytes(latest_pong_, payload);
}

void ControlOutput::add_close(ByteView payload) {
  add_latest_pong();
  add(Opcode::close, payload);
}

void ControlOutput::add_latest_pong() {
  if (!std::exchange(has_latest_pong_, false)) return;
  add(Opcode::pong, ByteView(latest_pong_).first(latest_pong_size_));
}

ByteView ControlOutput::take() {
  add_latest_pong();
  taken_.clear(ByteBuffer::kSmallest);
  std::swap(taken_, waiting_);
  return taken_.view();
}

}  // namespace runnel::websocket
