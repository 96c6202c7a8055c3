#include "core/signalling/field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace runnel::signalling {

using json::Kind;

namespace {

constexpr std::size_t kLongestQuote = 32;  // the shortest key and salt, 28 bytes, are 38 digits
constexpr double kLargestExact = 9007199254740992.0;  // 2^53

std::string_view describe(Kind kind) noexcept {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
    case Kind::real:
      return "a number";
    case Kind::string:
      return "a text";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string to_text(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return error == std::errc{} ? std::string(digits, end) : std::string("the number");
}

/// "3" or "3 to 7".
template <typename T>
std::string range(Bounds<T> bounds) {
  const std::string lowest = std::to_string(bounds.lowest);
  return bounds.lowest == bounds.highest ? lowest
                                         : lowest + " to " + std::to_string(bounds.highest);
}

std::string join(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

}  // namespace

std::string quote(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '"';
  });
  if (is_plain && text.size() <= kLongestQuote) return '"' + std::string(text) + '"';
  return "a text of " + std::to_string(text.size()) + " bytes";
}

void Field::refuse(ErrorCode code, std::string_view why) const {
  if (error_->has_value()) return;
  const std::string where = path_.empty() ? std::string("the request") : path_;
  *error_ = Error{code, where + ": " + std::string(why), std::nullopt};
}

bool Field::has_kind(Kind kind, std::string_view expected) const {
  if (node_->kind == kind) return true;
  refuse("is " + std::string(describe(node_->kind)) + "; write " + std::string(expected) +
         (node_->kind == Kind::null ? ", or leave the field out" : ""));
  return false;
}

std::optional<std::string_view> Field::text(Bounds<std::size_t> length) const {
  if (!has_kind(Kind::string, "a text")) return std::nullopt;
  const std::size_t size = node_->text.size();
  if (size >= length.lowest && size <= length.highest) return node_->text;
  refuse("is a text of " + std::to_string(size) + " bytes; write " + range(length));
  return std::nullopt;
}

std::optional<std::uint64_t> Field::integer(Bounds<std::uint64_t> bounds) const {
  const std::string expected = "a whole number, " + range(bounds);
  std::uint64_t value = node_->integer;
  if (node_->kind == Kind::real) {
    const double real = node_->real;
    if (real < 0 || real > kLargestExact || std::floor(real) != real) {
      refuse(to_text(real) + " is not allowed; write " + expected);
      return std::nullopt;
    }
    value = static_cast<std::uint64_t>(real);
  } else if (!has_kind(Kind::integer, expected)) {
    return std::nullopt;
  }
  if (value >= bounds.lowest && value <= bounds.highest) return value;
  refuse(std::to_string(value) + " is out of range; write " + range(bounds));
  return std::nullopt;
}

std::optional<double> Field::real(Bounds<double> bounds) const {
  double value = node_->real;
  if (node_->kind == Kind::integer) {
    value = static_cast<double>(node_->integer);
  } else if (!has_kind(Kind::real, "a number")) {
    return std::nullopt;
  }
  if (value >= bounds.lowest && value <= bounds.highest) return value;
  refuse(to_text(value) + " is out of range; write " + to_text(bounds.lowest) + " to " +
         to_text(bounds.highest));
  return std::nullopt;
}

std::optional<bool> Field::boolean() const {
  if (!has_kind(Kind::boolean, "true or false")) return std::nullopt;
  return node_->boolean;
}

std::optional<std::chrono::milliseconds> Field::milliseconds(Bounds<std::uint64_t> bounds) const {
  const auto count = integer(bounds);
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*count));
}

std::vector<Field> Field::items(Bounds<std::size_t> count) const {
  std::vector<Field> result;
  if (!has_kind(Kind::array, "an array")) return result;
  const std::size_t size = node_->items.size();
  if (size < count.lowest || size > count.highest) {
    refuse("has " + std::to_string(size) + " items; write " + range(count));
    return result;
  }
  result.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    result.emplace_back(node_->items[i], path_ + "[" + std::to_string(i) + "]", *error_);
  }
  return result;
}

bool Field::is_object() const {
  return has_kind(Kind::object, "an object");
}

std::optional<Field> Field::find(std::string_view name) const {
  if (!is_object()) return std::nullopt;
  const auto member = std::find_if(node_->members.begin(), node_->members.end(),
                                   [&](const json::Member& known) { return known.name == name; });
  if (member == node_->members.end()) return std::nullopt;
  return Field(member->value, join(path_, name), *error_);
}

std::optional<Field> Field::require(std::string_view name, std::string_view expected) const {
  auto found = find(name);
  if (!found && node_->kind == Kind::object) {
    Field(*node_, join(path_, name), *error_).refuse("is missing; write " + std::string(expected));
  }
  return found;
}

std::vector<std::string_view> Field::names() const {
  std::vector<std::string_view> result;
  for (const json::Member& member : node_->members) result.emplace_back(member.name);
  return result;
}

}  // namespace runnel::signalling
