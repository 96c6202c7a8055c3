// The keys that JWTs are verified with, and whom they have to be from and for.
#pragma once

#include "config/loader.h"
#include "config/yaml_reader.h"
#include "core/auth/authenticator.h"

namespace runnel::config {

inline constexpr std::size_t kMostJwtKeys = 16;

/// Reads keys, issuer, audience. Problems never hold a secret. False after a problem.
[[nodiscard]] bool load_jwt(const Value& value, const Surroundings& surroundings,
                            auth::JwtSettings& jwt);

}  // namespace runnel::config
