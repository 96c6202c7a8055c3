#include "core/sdp/error.h"

namespace runnel::sdp {

std::string Error::to_string() const {
  return line == 0 ? message : "line " + std::to_string(line) + ": " + message;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kLongest)) quoted += c >= 0x20 && c < 0x7f ? c : '?';
  if (text.size() > kLongest) quoted += "...";
  return quoted + "\"";
}

}  // namespace runnel::sdp
