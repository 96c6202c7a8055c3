// Looking up fields, and the items of comma-separated lists.
#include "core/http/header_list.h"

#include <algorithm>

#include "core/http/characters.h"

namespace runnel::http {
namespace {

bool is_token_character(char c) noexcept {
  return is_alphanumeric(c) || (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").contains(c));
}

bool list_has(std::string_view list, std::string_view token) noexcept {
  while (true) {
    const std::size_t comma = list.find(',');
    if (equal_ignoring_case(trimmed(list.substr(0, comma)), token)) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

std::size_t HeaderList::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields_, [name](const Field& field) { return equal_ignoring_case(field.name, name); }));
}

std::optional<std::string_view> HeaderList::find(std::string_view name) const noexcept {
  for (const Field& field : fields_) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::string HeaderList::combined(std::string_view name) const {
  std::string values;
  bool is_first = true;
  for (const Field& field : fields_) {
    if (!equal_ignoring_case(field.name, name)) continue;
    if (!is_first) values += ", ";
    values += field.value;
    is_first = false;
  }
  return values;
}

bool HeaderList::has_token(std::string_view name, std::string_view token) const noexcept {
  return std::ranges::any_of(fields_, [&](const Field& field) {
    return equal_ignoring_case(field.name, name) && list_has(field.value, token);
  });
}

}  // namespace runnel::http
