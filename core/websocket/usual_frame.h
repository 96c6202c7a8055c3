// The short way through the frames that most clients send: one frame, whole in the input, that is a
// message of its own. Everything else is left to MessageReader's long way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/bytes.h"
#include "core/websocket/frame.h"

namespace runnel::websocket {

/// Short payloads are not worth a call.
inline void unmask(ByteSpan payload, const MaskingKey& key) noexcept {
  constexpr std::size_t kShort = 32;
  if (payload.size() > kShort) return crypto::xor_masking_key(payload, key);
  std::uint32_t word_key;
  std::memcpy(&word_key, key.data(), key.size());
  const std::uint64_t twice = word_key * 0x1'0000'0001u;
  std::uint8_t* p = payload.data();
  std::uint8_t* const end = p + payload.size();
  for (; end - p >= 8; p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    word ^= twice;
    std::memcpy(p, &word, sizeof word);
  }
  for (std::size_t i = 0; p != end; ++p, ++i) *p ^= key[i % key.size()];
}

struct UsualFrame {
  std::size_t size = 0;  // of the whole frame; 0: the input begins with no usual frame
  ByteSpan payload{};    // unmasked
};

/// A FIN frame of a client, text or binary, that lies whole in `input`, with at most `max_size`
/// bytes of payload, unmasked in place. Leaves the input alone when it begins with anything else,
/// be it unusual, incomplete or wrong.
[[nodiscard]] inline UsualFrame take_usual_frame(ByteSpan input, std::size_t max_size) noexcept {
  constexpr auto kFinText = kFin | static_cast<unsigned>(Opcode::text);
  constexpr auto kFinBinary = kFin | static_cast<unsigned>(Opcode::binary);
  constexpr std::size_t kShortHeaderSize = 6;
  constexpr std::size_t kLongerHeaderSize = 8;

  std::uint8_t* const frame = input.data();
  if (input.size() < kLongerHeaderSize) return {};
  if (frame[0] != kFinText && frame[0] != kFinBinary) return {};
  std::size_t header_size = kShortHeaderSize;
  std::size_t payload_size = std::size_t{frame[1]} - kMasked;  // enormous when the bit is not set
  if (payload_size >= kLengthIn16Bits) {
    if (payload_size != kLengthIn16Bits) return {};
    header_size = kLongerHeaderSize;
    payload_size = load_be16(frame + 2);
    if (payload_size < kLengthIn16Bits) return {};
  }
  if (payload_size > input.size() - header_size || payload_size > max_size) return {};
  MaskingKey key;
  std::memcpy(key.data(), frame + header_size - key.size(), key.size());
  const ByteSpan payload(frame + header_size, payload_size);
  unmask(payload, key);
  return {.size = header_size + payload_size, .payload = payload};
}

}  // namespace runnel::websocket
