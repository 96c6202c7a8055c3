#include "core/websocket/frame.h"

namespace runnel::websocket {
namespace {

constexpr std::uint8_t kRsv2And3 = 0x30;
constexpr std::uint8_t kOpcodeBits = 0x0f;
constexpr std::uint8_t kLengthBits = 0x7f;

constexpr bool is_known(std::uint8_t opcode) noexcept {
  return opcode <= 0x2 || (opcode >= 0x8 && opcode <= 0xa);
}

/// What the first two bytes show. The order is that of the bits.
std::optional<Error> first_error(std::uint8_t first, std::uint8_t second,
                                 FrameRules rules) noexcept {
  const std::uint8_t bits = first & kOpcodeBits;
  const auto opcode = static_cast<Opcode>(bits);
  const bool may_have_rsv1 =
      rules.is_rsv1_allowed && (opcode == Opcode::text || opcode == Opcode::binary);
  if ((first & kRsv2And3) != 0 || ((first & kRsv1) != 0 && !may_have_rsv1)) {
    return Error::reserved_bit;
  }
  if (!is_known(bits)) return Error::reserved_opcode;
  const bool is_masked = (second & kMasked) != 0;
  if (is_masked && rules.receiver == Role::client) return Error::masked_frame;
  if (!is_masked && rules.receiver == Role::server) return Error::unmasked_frame;
  if (is_control(opcode)) {
    if ((first & kFin) == 0) return Error::fragmented_control;
    if ((second & kLengthBits) > kMaxControlPayload) return Error::control_too_long;
  }
  return std::nullopt;
}

constexpr DecodedFrameHeader invalid(Error error) noexcept {
  return {.status = DecodedFrameHeader::Status::invalid, .error = error, .size = 0, .header = {}};
}

}  // namespace

DecodedFrameHeader decode_frame_header(ByteView bytes, FrameRules rules) noexcept {
  DecodedFrameHeader decoded;
  if (bytes.size() < 2) return decoded;
  if (const auto error = first_error(bytes[0], bytes[1], rules)) return invalid(*error);

  std::size_t size = 2;
  std::uint64_t payload_size = bytes[1] & kLengthBits;
  if (payload_size == kLengthIn16Bits) {
    size += 2;
    if (bytes.size() < size) return decoded;
    payload_size = load_be16(bytes.data() + 2);
    if (payload_size < kLengthIn16Bits) return invalid(Error::length_not_minimal);
  } else if (payload_size == kLengthIn64Bits) {
    size += 8;
    if (bytes.size() < size) return decoded;
    payload_size = load_be64(bytes.data() + 2);
    if ((payload_size >> 63) != 0) return invalid(Error::length_too_large);
    if (payload_size <= 0xffff) return invalid(Error::length_not_minimal);
  }
  if (rules.receiver == Role::server) {
    MaskingKey key;
    if (bytes.size() < size + key.size()) return decoded;
    std::memcpy(key.data(), bytes.data() + size, key.size());
    decoded.header.masking_key = key;
    size += key.size();
  }
  decoded.status = DecodedFrameHeader::Status::complete;
  decoded.size = static_cast<std::uint8_t>(size);
  decoded.header.fin = (bytes[0] & kFin) != 0;
  decoded.header.rsv1 = (bytes[0] & kRsv1) != 0;
  decoded.header.opcode = static_cast<Opcode>(bytes[0] & kOpcodeBits);
  decoded.header.payload_size = payload_size;
  return decoded;
}

}  // namespace runnel::websocket
