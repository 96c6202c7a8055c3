#include "daemon/log_line.h"

#include <cmath>
#include <type_traits>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {
namespace {

constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";

bool is_control(unsigned char byte) noexcept {
  return byte < 0x20 || byte == 0x7f;
}

// How many bytes the UTF-8 sequence at the front has; 0 when it is none (RFC 3629 §4).
std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                     ? 1
                             : (lead >= 0xc2 && lead < 0xe0) ? 2
                             : (lead >= 0xe0 && lead < 0xf0) ? 3
                             : (lead >= 0xf0 && lead < 0xf5) ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong_or_surrogate =
      (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong_or_surrogate ? 0 : length;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char first = text.front();
    if (length == 0) {
      out += kReplacementCharacter;
    } else if (first == '"' || first == '\\') {
      (out += '\\') += first;
    } else if (is_control(static_cast<unsigned char>(first))) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(first));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void append_json_value(std::string& out, const LogField::Value& value) {
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>) {
          append_json_string(out, held);
        } else if constexpr (std::is_same_v<Held, double>) {
          out += std::isfinite(held) ? fmt::format("{}", held) : "null";
        } else {
          out += fmt::format("{}", held);
        }
      },
      value);
}

}  // namespace

std::string text_of(const LogLine& line) {
  std::string out;
  out.reserve(line.message.size());
  for (const char character : line.message) {
    if (is_control(static_cast<unsigned char>(character))) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
    } else {
      out += character;
    }
  }
  return out;
}

std::string json_members_of(const LogLine& line) {
  std::string out = "\"message\":";
  append_json_string(out, line.message);
  for (const LogField& field : line.fields) {
    out += ',';
    append_json_string(out, field.name);
    out += ':';
    append_json_value(out, field.value);
  }
  return out;
}

}  // namespace runnel::daemon
