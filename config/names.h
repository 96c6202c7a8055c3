// Names that users give to streams and media.
#pragma once

#include <string_view>

namespace runnel::config {

/// Letters, digits, '-', '_' and '.', up to 64 of them, not beginning with '-' or '.': safe in a
/// URL, a command line, a log and SDP.
[[nodiscard]] bool is_name(std::string_view text) noexcept;
inline constexpr const char* kNameAdvice =
    "use up to 64 letters, digits, '-', '_' or '.', beginning with a letter, a digit or '_'";

}  // namespace runnel::config
