// The claim `runnel` of a JWT: what its bearer may do.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/auth/permissions.h"

namespace runnel::auth {

/// Reads the claim as Authenticator describes it; without the claim nothing is granted. False when
/// it does not hold together, after which `permissions` is of no use.
[[nodiscard]] bool read_jwt_permissions(const nlohmann::json& claims, Permissions& permissions);

}  // namespace runnel::auth
