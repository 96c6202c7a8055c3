// Tells TLS from plain text by the first byte of a connection, so that who knocks at the wrong door
// gets an answer that it can read.
#pragma once

#include <cstdint>

namespace runnel::tls {

enum class FirstByte : std::uint8_t {
  tls,    // a handshake record (RFC 8446 §5.1), which begins every TLS connection
  text,   // what may begin an HTTP request: a letter, or the line end that RFC 9112 §2.2 tolerates
  other,  // neither: close without a word
};

[[nodiscard]] constexpr FirstByte classify_first_byte(std::uint8_t byte) noexcept {
  constexpr std::uint8_t kHandshakeRecord = 22;
  if (byte == kHandshakeRecord) return FirstByte::tls;
  const bool is_letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
  return is_letter || byte == '\r' ? FirstByte::text : FirstByte::other;
}

}  // namespace runnel::tls
