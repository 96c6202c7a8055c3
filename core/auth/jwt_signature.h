// Whether a JWT was signed with a key.
#pragma once

#include <string>

#include "core/auth/jwt_key.h"

namespace runnel::auth {

/// Whether the signature of `token`, which Jwt::parse has accepted, is one of `key` with its own
/// algorithm and no other.
[[nodiscard]] bool is_signed_by(const std::string& token, const JwtKey& key);

}  // namespace runnel::auth
