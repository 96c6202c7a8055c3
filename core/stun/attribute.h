// Attributes of STUN messages: their types, and the values that are more than a number.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel::stun {

/// RFC 8489 §18.3 and RFC 8445 §20.2. Any other value may come from the wire.
enum class AttributeType : std::uint16_t {
  username = 0x0006,
  message_integrity = 0x0008,
  error_code = 0x0009,
  unknown_attributes = 0x000a,
  message_integrity_sha256 = 0x001c,
  xor_mapped_address = 0x0020,
  priority = 0x0024,
  use_candidate = 0x0025,
  software = 0x8022,
  fingerprint = 0x8028,
  ice_controlled = 0x8029,
  ice_controlling = 0x802a,
};

/// Whether who does not know the attribute must refuse the request (RFC 8489 §14: types below
/// 0x8000).
[[nodiscard]] constexpr bool is_comprehension_required(AttributeType type) noexcept {
  return static_cast<std::uint16_t>(type) < 0x8000;
}
/// Whether it is one of the above.
[[nodiscard]] bool is_known(AttributeType type) noexcept;

/// One attribute, without its padding. Borrows from the message.
struct AttributeView {
  AttributeType type{};
  ByteView value;
};

/// RFC 8489 §14.8 and RFC 8445 §20.3; other codes may come from the wire.
enum class ErrorCode : std::uint16_t {
  bad_request = 400,
  unauthenticated = 401,
  unknown_attribute = 420,
  role_conflict = 487,
  server_error = 500,
};
/// The reason phrase that the RFCs give; empty for other codes.
[[nodiscard]] std::string_view reason_phrase(ErrorCode code) noexcept;

/// The value of ERROR-CODE. Borrows from the message.
struct ErrorView {
  ErrorCode code{};
  std::string_view reason;
};

}  // namespace runnel::stun
