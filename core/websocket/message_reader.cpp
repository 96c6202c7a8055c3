#include "core/websocket/message_reader.h"

#include <algorithm>
#include <utility>

namespace runnel::websocket {
namespace {

Received failure(Error error) noexcept {
  return {.kind = Received::Kind::failure, .opcode = {}, .error = error, .payload = {}};
}
Received control(Opcode opcode, ByteView payload) noexcept {
  return {.kind = Received::Kind::control, .opcode = opcode, .error = {}, .payload = payload};
}

}  // namespace

MessageReader::MessageReader(Role role, const Limits& limits,
                             std::optional<Inflater> inflater) noexcept
    : rules_{.receiver = role, .is_rsv1_allowed = inflater.has_value()},
      limits_(limits),
      max_usual_size_(std::min(limits.max_frame_size, limits.max_message_size)),
      inflater_(std::move(inflater)) {}

Received MessageReader::find_and_look_ahead() {
  const Received received = find();
  may_be_usual_ = rules_.receiver == Role::server && !is_in_frame_ && !is_in_message_ &&
                  partial_header_size_ == 0 && !is_over_ && !skips_messages_;
  return received;
}

Received MessageReader::find() {
  if (std::exchange(is_over_, false)) message_.clear(limits_.kept_buffer_size);
  while (true) {
    if (!is_in_frame_) {
      const auto has_begun = begin_frame();
      if (!has_begun) return fail(has_begun.error());
      if (!*has_begun) return {};
    }
    const Received received = read_payload();
    if (received.kind != Received::Kind::nothing) return received;
    if (is_in_frame_) return {};
  }
}

Received MessageReader::fail(Error error) noexcept {
  input_ = {};
  return failure(error);
}

std::expected<bool, Error> MessageReader::begin_frame() noexcept {
  const DecodedFrameHeader decoded = read_header();
  if (decoded.status == DecodedFrameHeader::Status::incomplete) return false;
  if (decoded.status == DecodedFrameHeader::Status::invalid) return std::unexpected(decoded.error);
  frame_ = decoded.header;
  payload_left_ = frame_.payload_size;
  is_in_frame_ = true;
  control_size_ = 0;
  if (is_control(frame_.opcode) || skips_messages_) return true;
  if (const auto error = place_in_message()) return std::unexpected(*error);
  return true;
}

DecodedFrameHeader MessageReader::read_header() noexcept {
  const std::size_t had = partial_header_size_;
  if (had == 0) {
    const DecodedFrameHeader decoded = decode_frame_header(input_, rules_);
    if (decoded.status != DecodedFrameHeader::Status::incomplete) {
      input_ = input_.subspan(decoded.size);
      return decoded;
    }
  }
  const ByteSpan more = input_.first(std::min(input_.size(), partial_header_.size() - had));
  copy_bytes(ByteSpan(partial_header_).subspan(had), more);
  const DecodedFrameHeader decoded =
      decode_frame_header(ByteView(partial_header_).first(had + more.size()), rules_);
  const bool is_incomplete = decoded.status == DecodedFrameHeader::Status::incomplete;
  partial_header_size_ = static_cast<std::uint8_t>(is_incomplete ? had + more.size() : 0);
  if (decoded.status != DecodedFrameHeader::Status::invalid) {
    input_ = input_.subspan(is_incomplete ? more.size() : decoded.size - had);
  }
  return decoded;
}

std::optional<Error> MessageReader::place_in_message() noexcept {
  if (frame_.opcode == Opcode::continuation) {
    if (!is_in_message_) return Error::unexpected_continuation;
    if (++fragments_ > limits_.max_fragments) return Error::too_many_fragments;
  } else {
    if (is_in_message_) return Error::unfinished_message;
    is_in_message_ = true;
    is_compressed_ = frame_.rsv1;
    message_opcode_ = frame_.opcode;
    fragments_ = 1;
    utf8_.reset();
  }
  if (frame_.payload_size > limits_.max_frame_size) return Error::frame_too_big;
  if (!is_compressed_ && frame_.payload_size > limits_.max_message_size - message_.size()) {
    return Error::message_too_big;
  }
  return std::nullopt;
}

Received MessageReader::read_payload() {
  const std::size_t size = std::min<std::uint64_t>(input_.size(), payload_left_);
  const ByteSpan piece = input_.first(size);
  input_ = input_.subspan(size);
  if (frame_.masking_key) {
    crypto::xor_masking_key(piece, *frame_.masking_key, frame_.payload_size - payload_left_);
  }
  payload_left_ -= size;
  is_in_frame_ = payload_left_ != 0;
  const bool is_whole = size == frame_.payload_size;
  if (is_control(frame_.opcode)) return read_control(piece, is_whole);
  if (skips_messages_) return {};
  return read_data(piece, is_whole);
}

Received MessageReader::read_control(ByteView piece, bool is_whole) noexcept {
  if (is_whole) return control(frame_.opcode, piece);
  copy_bytes(ByteSpan(control_payload_).subspan(control_size_), piece);
  control_size_ = static_cast<std::uint8_t>(control_size_ + piece.size());
  if (is_in_frame_) return {};
  return control(frame_.opcode, ByteView(control_payload_).first(control_size_));
}

Received MessageReader::read_data(ByteView piece, bool is_whole) {
  if (is_whole && frame_.fin && fragments_ == 1 && !is_compressed_) {
    is_in_message_ = false;
    return checked(message_opcode_, piece);
  }
  if (const auto error = add_to_message(piece)) return fail(*error);
  if (is_in_frame_ || !frame_.fin) return {};
  return finish_message();
}

Received MessageReader::checked(Opcode opcode, ByteView payload) noexcept {
  if (opcode == Opcode::text && !is_valid_utf8(payload)) return fail(Error::invalid_utf8);
  return {.kind = Received::Kind::message, .opcode = opcode, .error = {}, .payload = payload};
}

std::optional<Error> MessageReader::add_to_message(ByteView piece) {
  const std::size_t had = message_.size();
  std::expected<void, Error> done;
  if (is_compressed_) {
    done = inflater_->decompress(piece, message_, limits_.max_message_size);
  } else {
    message_.append(piece, had + piece.size() + payload_left_);
  }
  // What came out before an error comes first, so that the cut of the bytes makes no difference.
  if (!is_text_right(had)) return Error::invalid_utf8;
  return done ? std::nullopt : std::optional(done.error());
}

Received MessageReader::finish_message() {
  is_in_message_ = false;
  is_over_ = true;
  const std::size_t had = message_.size();
  std::expected<void, Error> done;
  if (is_compressed_) done = inflater_->finish(message_, limits_.max_message_size);
  if (!is_text_right(had)) return fail(Error::invalid_utf8);
  if (!done) return fail(done.error());
  if (message_opcode_ == Opcode::text && !utf8_.is_complete()) return fail(Error::invalid_utf8);
  return {.kind = Received::Kind::message,
          .opcode = message_opcode_,
          .error = {},
          .payload = message_.view()};
}

bool MessageReader::is_text_right(std::size_t from) noexcept {
  return message_opcode_ != Opcode::text || utf8_.accept(message_.view().subspan(from));
}

std::size_t MessageReader::memory() const noexcept {
  return message_.capacity() + (inflater_ ? inflater_->memory() : 0);
}

}  // namespace runnel::websocket
