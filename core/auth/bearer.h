// The token of an Authorization header (RFC 6750 §2.1).
#pragma once

#include <optional>
#include <string_view>

namespace runnel::auth {

/// The token behind "Bearer", whose letter case does not matter; nullopt for another scheme, and
/// for what is no token by RFC 6750's `b64token`. Borrows `authorization`.
[[nodiscard]] std::optional<std::string_view> bearer_token(std::string_view authorization) noexcept;

}  // namespace runnel::auth
