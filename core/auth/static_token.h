// A token that the configuration names, kept as its digest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/auth/permissions.h"
#include "core/auth/wall_time.h"
#include "core/base/secret.h"

namespace runnel::auth {

/// Characters; shorter ones can be guessed.
inline constexpr std::size_t kShortestToken = 16;
/// Bytes of any token, JWTs included; longer ones are refused unread.
inline constexpr std::size_t kLongestToken = 8 * 1024;

/// SHA-256 of a token, so that comparing takes the same time whatever the token's length, and the
/// token itself need not be kept. Move-only, wiped, not printable.
class TokenDigest {
 public:
  explicit TokenDigest(std::string_view token) noexcept;
  /// In constant time.
  [[nodiscard]] bool equals(const TokenDigest& other) const noexcept;
  /// The digest's first 64 bits, which tell nothing of the token.
  [[nodiscard]] std::uint64_t prefix() const noexcept;

 private:
  Secret<32> digest_;
};

struct StaticToken {
  std::string name;  // for logs
  TokenDigest digest;
  Permissions permissions;
  std::optional<WallTime> expiry;
};

}  // namespace runnel::auth
