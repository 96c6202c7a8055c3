#include "core/websocket/message_writer.h"

#include <utility>

namespace runnel::websocket {

MessageWriter::MessageWriter(RandomSource* masking_keys, std::optional<Deflater> deflater,
                             std::size_t min_compressed_size, std::size_t kept_buffer_size) noexcept
    : masking_keys_(masking_keys),
      deflater_(std::move(deflater)),
      min_compressed_size_(min_compressed_size),
      kept_buffer_size_(kept_buffer_size) {}

void MessageWriter::code(Opcode opcode, ByteView payload, Compression compression,
                         OutgoingFrame& out) {
  FrameHeader header{.opcode = opcode};
  coded_.clear(kept_buffer_size_);
  header.rsv1 = deflater_ && compression == Compression::where_agreed &&
                payload.size() >= min_compressed_size_ && deflater_->compress(payload, coded_);
  if (header.rsv1) payload = coded_.view();
  if (masking_keys_ != nullptr) {
    header.masking_key.emplace();
    masking_keys_->fill(*header.masking_key);
    if (!header.rsv1) coded_.append(payload);
    crypto::xor_masking_key(coded_.span(), *header.masking_key);
    payload = coded_.view();
  }
  header.payload_size = payload.size();
  out.header.assign(header);
  out.payload = payload;
}

std::size_t MessageWriter::memory() const noexcept {
  return coded_.capacity() + (deflater_ ? deflater_->memory() : 0);
}

}  // namespace runnel::websocket
