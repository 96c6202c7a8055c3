// MESSAGE-INTEGRITY (RFC 8489 §14.5) under short-term credentials.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"
#include "core/crypto/hmac_sha1.h"
#include "core/stun/message.h"

namespace runnel::stun {

inline constexpr std::size_t kIntegritySize = crypto::kSha1DigestSize;

/// RFC 8489 §9.1.1: the key is the password. SASLprep changes nothing in what ICE allows a password
/// to be.
[[nodiscard]] inline crypto::HmacSha1Key integrity_key(std::string_view password) noexcept {
  return crypto::HmacSha1Key(
      {reinterpret_cast<const std::uint8_t*>(password.data()), password.size()});
}

/// HMAC-SHA1 of what precedes the attribute, with a header that counts up to its end. `preceding`
/// begins with a header and has at most kMaxMessageSize bytes.
[[nodiscard]] std::array<std::uint8_t, kIntegritySize> integrity_of(
    ByteView preceding, const crypto::HmacSha1Key& key) noexcept;

}  // namespace runnel::stun
