// Why a description cannot be agreed upon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace runnel::negotiation {

enum class ErrorKind : std::uint8_t {
  malformed,      // it breaks the rules of SDP, or contradicts itself or what was agreed before
  unsupported,    // it is right, but asks for a connection of another kind (no ICE, no DTLS)
  no_media,       // none of its m-lines is for what shall be published or subscribed
  unknown_codec,  // there is one, but without a codec that both sides know
};

struct Error {
  ErrorKind kind = ErrorKind::malformed;
  std::size_t line = 0;  // of the peer's text, counted from 1; 0: the text as a whole
  std::string message;   // a sentence

  /// "line 12: ..."
  [[nodiscard]] std::string to_string() const;
};

}  // namespace runnel::negotiation
