#include "core/stun/message_writer.h"

#include <algorithm>

#include "core/stun/attribute_layout.h"
#include "core/stun/crc32.h"

namespace runnel::stun {
namespace {

ByteView as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Method and class with their bits interleaved: 00MMMMMC MMMCMMMM.
std::uint16_t type_field(MessageClass message_class, Method method) noexcept {
  const auto c = static_cast<unsigned>(message_class);
  return static_cast<std::uint16_t>(((method & 0xf80u) << 2) | ((method & 0x70u) << 1) |
                                    (method & 0x0fu) | ((c & 2u) << 7) | ((c & 1u) << 4));
}

/// No further: what is longer could not be authenticated.
ByteSpan at_most_a_message(ByteSpan out) noexcept {
  return out.first(std::min(out.size(), kMaxMessageSize));
}

}  // namespace

MessageWriter::MessageWriter(ByteSpan out, MessageClass message_class, Method method,
                             const TransactionId& transaction_id) noexcept
    : writer_(at_most_a_message(out)), transaction_id_(transaction_id) {
  writer_.u16(type_field(message_class, method));
  writer_.u16(0);  // the length, when it is known
  writer_.u32(kMagicCookie);
  writer_.bytes(transaction_id_);
}

void MessageWriter::begin(AttributeType type, std::size_t size) noexcept {
  writer_.u16(static_cast<std::uint16_t>(type));
  writer_.u16(static_cast<std::uint16_t>(size));
}

void MessageWriter::pad() noexcept {
  writer_.zeros(padded_size(writer_.size()) - writer_.size());
}

void MessageWriter::attribute(AttributeType type, ByteView value) noexcept {
  begin(type, value.size());
  writer_.bytes(value);
  pad();
}

void MessageWriter::username(std::string_view ufrag_of_receiver,
                             std::string_view ufrag_of_sender) noexcept {
  begin(AttributeType::username, ufrag_of_receiver.size() + 1 + ufrag_of_sender.size());
  writer_.bytes(as_bytes(ufrag_of_receiver));
  writer_.u8(':');
  writer_.bytes(as_bytes(ufrag_of_sender));
  pad();
}

void MessageWriter::priority(std::uint32_t priority) noexcept {
  begin(AttributeType::priority, 4);
  writer_.u32(priority);
}

void MessageWriter::use_candidate() noexcept {
  begin(AttributeType::use_candidate, 0);
}

void MessageWriter::ice_controlling(std::uint64_t tie_breaker) noexcept {
  begin(AttributeType::ice_controlling, 8);
  writer_.u64(tie_breaker);
}

void MessageWriter::ice_controlled(std::uint64_t tie_breaker) noexcept {
  begin(AttributeType::ice_controlled, 8);
  writer_.u64(tie_breaker);
}

void MessageWriter::xor_mapped_address(const SocketAddress& address) noexcept {
  const bool is_v4 = address.ip.is_v4();
  std::array<std::uint8_t, 16> bytes = address.ip.bytes();
  const ByteSpan significant = ByteSpan(bytes).first(is_v4 ? 4 : 16);
  xor_with_header(significant, transaction_id_);

  begin(AttributeType::xor_mapped_address, is_v4 ? kIpv4ValueSize : kIpv6ValueSize);
  writer_.u8(0);
  writer_.u8(is_v4 ? kFamilyIpv4 : kFamilyIpv6);
  writer_.u16(address.port ^ kPortMask);
  writer_.bytes(significant);
}

void MessageWriter::error(ErrorCode code) noexcept {
  const auto number = static_cast<unsigned>(code);
  const std::string_view reason = reason_phrase(code);
  begin(AttributeType::error_code, kErrorHeaderSize + reason.size());
  writer_.u16(0);
  writer_.u8(static_cast<std::uint8_t>(number / 100));
  writer_.u8(static_cast<std::uint8_t>(number % 100));
  writer_.bytes(as_bytes(reason));
  pad();
}

void MessageWriter::unknown_attributes(std::span<const AttributeType> types) noexcept {
  begin(AttributeType::unknown_attributes, 2 * types.size());
  for (const AttributeType type : types) writer_.u16(static_cast<std::uint16_t>(type));
  pad();
}

void MessageWriter::software(std::string_view name) noexcept {
  attribute(AttributeType::software, as_bytes(name));
}

void MessageWriter::message_integrity(const crypto::HmacSha1Key& key) noexcept {
  if (writer_.overflowed()) return;
  attribute(AttributeType::message_integrity, integrity_of(writer_.written(), key));
}

void MessageWriter::fingerprint() noexcept {
  if (writer_.overflowed()) return;
  set_length(kAttributeHeaderSize + kFingerprintSize);
  const std::uint32_t checksum = fingerprint_of(writer_.written());
  begin(AttributeType::fingerprint, kFingerprintSize);
  writer_.u32(checksum);
}

void MessageWriter::set_length(std::size_t ahead) noexcept {
  const std::size_t length = writer_.size() - kHeaderSize + ahead;
  store_be16(writer_.written().data() + 2, static_cast<std::uint16_t>(length));
}

std::optional<ByteView> MessageWriter::finish() noexcept {
  if (writer_.overflowed()) return std::nullopt;
  set_length(0);
  return writer_.written();
}

}  // namespace runnel::stun
