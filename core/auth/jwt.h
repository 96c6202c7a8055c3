// A JWT taken apart. Nothing in it is true until its signature has been verified.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/auth_error.h"
#include "core/auth/jwt_key.h"
#include "core/auth/permissions.h"
#include "core/auth/wall_time.h"

namespace runnel::auth {

/// Header and claims of a compact serialisation (RFC 7515 §3.1, RFC 7519 §4).
struct Jwt {
  std::optional<JwtAlgorithm> algorithm;  // nullopt: one that is not known here, `none` included
  std::string key_id;                     // empty: none
  std::string issuer;                     // empty: none, as with the next ones
  std::string subject;
  std::vector<std::string> audience;
  std::optional<WallTime> expires;
  std::optional<WallTime> not_before;
  Permissions permissions;

  /// AuthError::malformed unless all of it holds together. `token` is at most kLongestToken.
  [[nodiscard]] static std::expected<Jwt, AuthError> parse(std::string_view token);
};

/// Three parts between dots; all else can be no JWT.
[[nodiscard]] bool looks_like_jwt(std::string_view token) noexcept;

}  // namespace runnel::auth
