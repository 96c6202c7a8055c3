// The grammar of lists in HTTP header values (RFC 9110 §5.6, RFC 6455 §9.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::websocket {

[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// Whether a comma-separated list has this token, in whatever case. A list that is none has none.
[[nodiscard]] bool list_has_token(std::string_view list, std::string_view token) noexcept;

/// The tokens of a list, as views into it; nullopt when it is malformed or has more than 64.
/// Empty elements are skipped (RFC 9110 §5.6.1.2).
[[nodiscard]] std::optional<std::vector<std::string_view>> parse_token_list(std::string_view list);

struct ExtensionParameter {
  std::string_view name{};
  std::optional<std::string> value = std::nullopt;  // without the quotes, if it had any
};

struct Extension {
  std::string_view name{};
  std::vector<ExtensionParameter> parameters{};  // duplicates included
};

/// A value of Sec-WebSocket-Extensions, whose names are views into it; nullopt when it is malformed
/// or has more than 16 extensions, or one of them more than 16 parameters. An empty value is a list
/// of none.
[[nodiscard]] std::optional<std::vector<Extension>> parse_extensions(std::string_view value);

}  // namespace runnel::websocket
