// Whether a file is text at all.
#pragma once

#include <optional>
#include <string_view>

namespace runnel::config {

/// The first line, counted from 1, with a NUL or a byte that is no valid UTF-8 (RFC 3629).
[[nodiscard]] std::optional<int> line_that_is_not_utf8(std::string_view text) noexcept;

}  // namespace runnel::config
