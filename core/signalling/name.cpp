#include "core/signalling/name.h"

#include <algorithm>

#include "core/signalling/codec.h"

namespace runnel::signalling {
namespace {

bool is_name_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

bool is_name(std::string_view text) noexcept {
  return !text.empty() && text.size() <= kMaxNameLength && text.front() != '-' &&
         text.front() != '.' && std::ranges::all_of(text, is_name_character);
}

}  // namespace runnel::signalling
