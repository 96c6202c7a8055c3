#include "core/signalling/json_writer.h"

#include <charconv>
#include <cmath>

#include "core/base/check.h"

namespace runnel::signalling {

void JsonWriter::text(std::string_view name, std::string_view value) {
  begin_value(name);
  write_quoted(value);
}

void JsonWriter::flag(std::string_view name, bool value) {
  begin_value(name);
  out_ += value ? "true" : "false";
}

void JsonWriter::number(std::string_view name, double value) {
  RUNNEL_CHECK(std::isfinite(value));
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  RUNNEL_CHECK(error == std::errc{});
  write_number(name, {digits, end});
}

void JsonWriter::null(std::string_view name) {
  begin_value(name);
  out_ += "null";
}

void JsonWriter::begin_value(std::string_view name) {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
  if (name.empty()) return;
  write_quoted(name);
  out_ += ':';
}

void JsonWriter::write_number(std::string_view name, std::string_view digits) {
  begin_value(name);
  out_ += digits;
}

void JsonWriter::write_quoted(std::string_view value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out_ += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\r' || c == '\n') {
      out_ += c == '\r' ? "\\r" : "\\n";  // of session descriptions there are many
    } else if (byte < 0x20) {
      out_ += "\\u00";
      out_ += kDigits[byte >> 4];
      out_ += kDigits[byte & 15];
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void JsonWriter::open(std::string_view name, char bracket) {
  begin_value(name);
  out_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
}

}  // namespace runnel::signalling
