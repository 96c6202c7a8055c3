#include "tests/load/options.h"

#include <charconv>
#include <string_view>

namespace runnel::load {
namespace {

template <typename T>
bool read_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read(std::string_view name, std::string_view value, Options& options) {
  if (name == "--stream") {
    options.stream = value;
    return true;
  }
  if (name == "--subscribers") return read_number(value, options.subscribers);
  if (name == "--seconds") {
    unsigned seconds = 0;
    const bool is_number = read_number(value, seconds);
    options.seconds = std::chrono::seconds(seconds);
    return is_number;
  }
  constexpr std::string_view kScheme = "http://";
  if (name != "--server" || !value.starts_with(kScheme)) return false;
  const auto address = SocketAddress::parse(value.substr(kScheme.size()));
  if (address) options.server = *address;
  return address.has_value();
}

}  // namespace

std::optional<Options> parse_options(std::span<char* const> arguments) {
  Options options;
  if (arguments.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (!read(arguments[i], arguments[i + 1], options)) return std::nullopt;
  }
  if (options.stream.empty() || options.server.port == 0) return std::nullopt;
  return options;
}

}  // namespace runnel::load
