#include "config/utf8.h"

#include "core/base/utf8.h"

namespace runnel::config {

std::optional<int> line_that_is_not_utf8(std::string_view text) noexcept {
  for (int line = 1;; ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view content = text.substr(0, end);
    if (!is_valid_utf8(content) || content.contains('\0')) return line;
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
}

}  // namespace runnel::config
