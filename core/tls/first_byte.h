// Tells TLS, plain text and framed packets apart by the first byte of a connection: they share a
// port, and who knocks at the wrong door gets an answer that it can read.
#pragma once

#include <cstdint>

namespace runnel::tls {

enum class FirstByte : std::uint8_t {
  tls,    // a handshake record (RFC 8446 §5.1), which begins every TLS connection
  text,   // what may begin an HTTP request: a letter, or the line end that RFC 9112 §2.2 tolerates
  frame,  // the length of a packet on a stream (RFC 4571), which begins media by ICE-TCP (RFC 6544)
  other,  // none of these: close without a word
};

[[nodiscard]] constexpr FirstByte classify_first_byte(std::uint8_t byte) noexcept {
  constexpr std::uint8_t kHandshakeRecord = 22;
  constexpr std::uint8_t kLongestPacket = 7;  // times 256 bytes, the high byte of a length
  if (byte == kHandshakeRecord) return FirstByte::tls;
  const bool is_letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
  if (is_letter || byte == '\r') return FirstByte::text;
  return byte <= kLongestPacket ? FirstByte::frame : FirstByte::other;
}

}  // namespace runnel::tls
