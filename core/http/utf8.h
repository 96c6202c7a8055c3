// Whether text is UTF-8.
#pragma once

#include <string_view>

namespace runnel::http {

/// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace runnel::http
