#include "config/names.h"

#include <algorithm>

namespace runnel::config {

bool is_name(std::string_view text) noexcept {
  constexpr std::size_t kLongest = 64;
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= kLongest && text.front() != '-' && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

}  // namespace runnel::config
