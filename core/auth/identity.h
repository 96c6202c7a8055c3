// Who somebody is once the token has been looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/auth/permissions.h"
#include "core/auth/wall_time.h"

namespace runnel::auth {

inline constexpr std::size_t kLongestIdentityName = 64;

struct Identity {
  /// For logs and statistics: the name of a static token, the subject of a JWT (printable ASCII, at
  /// most kLongestIdentityName, empty when it says none), or "anyone" where no token is needed.
  /// Never the token.
  std::string name;
  Permissions permissions;
  /// From here on the token is not accepted any more, the leeway included. nullopt: never.
  std::optional<WallTime> expiry;
  /// For limits per token: the same for the same static token's name, and for all JWTs with the
  /// same issuer and subject (for each JWT by itself when it has no subject). 0: no token, all of
  /// these are limited by their address alone.
  std::uint64_t key = 0;

  [[nodiscard]] bool is_expired(WallTime now) const noexcept { return expiry && now >= *expiry; }
};

}  // namespace runnel::auth
