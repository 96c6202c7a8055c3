// One line of the log: a sentence for people, the same facts as fields for machines.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/config.h"

namespace runnel::daemon {

/// `name` is in snake_case, with a dot where there are several of a kind: "video.packets".
struct LogField {
  using Value = std::variant<std::string, std::int64_t, std::uint64_t, double, bool>;

  std::string name;
  Value value;

  LogField(std::string field_name, std::string text)
      : name(std::move(field_name)), value(std::move(text)) {}
  LogField(std::string field_name, std::string_view text)
      : name(std::move(field_name)), value(std::string(text)) {}
  LogField(std::string field_name, const char* text)
      : name(std::move(field_name)), value(std::string(text)) {}
  LogField(std::string field_name, bool flag) : name(std::move(field_name)), value(flag) {}
  LogField(std::string field_name, std::unsigned_integral auto number)
      : name(std::move(field_name)), value(static_cast<std::uint64_t>(number)) {}
  LogField(std::string field_name, std::signed_integral auto number)
      : name(std::move(field_name)), value(static_cast<std::int64_t>(number)) {}
  LogField(std::string field_name, std::floating_point auto number)
      : name(std::move(field_name)), value(static_cast<double>(number)) {}

  friend bool operator==(const LogField&, const LogField&) = default;
};

/// The message is complete without the fields: they appear in the JSON format only.
struct LogLine {
  config::LogLevel level = config::LogLevel::info;
  std::string message;
  std::vector<LogField> fields;
};

/// The message with control characters escaped, so that one line stays one line.
[[nodiscard]] std::string text_of(const LogLine& line);
/// `"message":"...","field":...`: the members of a JSON object, without its braces. Bytes that are
/// no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_members_of(const LogLine& line);

}  // namespace runnel::daemon
