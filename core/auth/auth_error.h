// Why a token was refused: in detail for logs and counters, in one sentence for who sent it.
#pragma once

#include <cstdint>
#include <string_view>

namespace runnel::auth {

enum class AuthError : std::uint8_t {
  missing,          // one is needed
  unknown,          // neither a static token nor, where JWTs are accepted, shaped like a JWT
  malformed,        // shaped like a JWT, and does not hold together, or is too long or too deep
  unknown_key,      // a JWT whose kid names no key, or no key has its algorithm
  wrong_algorithm,  // a JWT whose algorithm is not that of the key that it names
  wrong_signature,
  wrong_issuer,    // signed well, for another purpose: iss
  wrong_audience,  // likewise: aud
  expired,
  not_yet_valid,
  without_permissions,  // a JWT that claims nothing of us
  count_                // not an error: how many there are
};

inline constexpr std::size_t kAuthErrorCount = static_cast<std::size_t>(AuthError::count_);

/// The stable snake_case name, as in logs, statistics and metrics.
[[nodiscard]] std::string_view to_string(AuthError error) noexcept;
/// A sentence for the client, without a full stop. It tells that a token is needed or has expired,
/// and of all else only that the token is not accepted.
[[nodiscard]] std::string_view client_text(AuthError error) noexcept;

}  // namespace runnel::auth
