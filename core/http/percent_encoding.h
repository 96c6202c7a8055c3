// Percent-encoding (RFC 3986 §2.1), as it stands in paths and queries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace runnel::http {

/// Whether every '%' is followed by two hexadecimal digits.
[[nodiscard]] bool is_percent_encoded(std::string_view text) noexcept;

/// Decodes once. nullopt: a '%' without two hexadecimal digits behind it.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

/// Writes all but letters, digits and "-._~" as %XX, so that the result is one path segment or one
/// query value whatever `text` holds.
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace runnel::http
