// What streams and tracks may be called.
#pragma once

#include <cstddef>
#include <string_view>

namespace runnel::signalling {

/// What is said to whoever has chosen something else.
inline constexpr std::string_view kNameRule =
    "use up to 64 letters, digits, '-', '_' or '.', beginning with a letter, a digit or '_'";

/// Up to kMaxNameLength letters, digits, '-', '_' and '.', not beginning with '-' or '.'.
[[nodiscard]] bool is_name(std::string_view text) noexcept;

}  // namespace runnel::signalling
