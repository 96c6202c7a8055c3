// The token of an Authorization header (RFC 6750 §2.1).
#pragma once

#include <optional>
#include <string_view>

namespace runnel::auth {

/// `b64token`: letters, digits and "-._~+/", with '=' at the end. So are all tokens: they go into a
/// header as they are.
[[nodiscard]] bool is_bearer_token(std::string_view text) noexcept;

/// The token behind "Bearer", whose letter case does not matter; nullopt for another scheme, and
/// for what is no `b64token`. Borrows `authorization`.
[[nodiscard]] std::optional<std::string_view> bearer_token(std::string_view authorization) noexcept;

}  // namespace runnel::auth
