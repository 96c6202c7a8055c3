#include "config/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace runnel::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 4> kDurations{
    {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};
constexpr std::uint64_t kLongestDuration = 365ull * 24 * 3'600'000;

constexpr std::uint64_t kKibi = 1024;
constexpr std::array<Unit, 12> kSizes{{{"B", 1},
                                       {"KiB", kKibi},
                                       {"MiB", kKibi* kKibi},
                                       {"GiB", kKibi* kKibi* kKibi},
                                       {"", 1},
                                       {"k", kKibi},
                                       {"K", kKibi},
                                       {"M", kKibi* kKibi},
                                       {"G", kKibi* kKibi* kKibi},
                                       {"kB", kKibi},
                                       {"MB", kKibi* kKibi},
                                       {"GB", kKibi* kKibi* kKibi}}};
constexpr std::span kPrintedSizes = std::span(kSizes).first<4>();
constexpr std::uint64_t kLargestSize = kKibi * kKibi * kKibi * kKibi;

constexpr std::uint64_t kKilo = 1'000;
constexpr std::array<Unit, 12> kRates{{{"bit/s", 1},
                                       {"kbit/s", kKilo},
                                       {"Mbit/s", kKilo* kKilo},
                                       {"Gbit/s", kKilo* kKilo* kKilo},
                                       {"", 1},
                                       {"k", kKilo},
                                       {"M", kKilo* kKilo},
                                       {"G", kKilo* kKilo* kKilo},
                                       {"bps", 1},
                                       {"kbps", kKilo},
                                       {"Mbps", kKilo* kKilo},
                                       {"Gbps", kKilo* kKilo* kKilo}}};
constexpr std::span kPrintedRates = std::span(kRates).first<4>();
constexpr std::uint64_t kHighestRate = kKilo * kKilo * kKilo * kKilo;

std::optional<std::uint64_t> parse_digits(std::string_view text, int base) noexcept {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_measure(std::string_view text, std::span<const Unit> units,
                                           std::uint64_t highest) noexcept {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_digits(text.substr(0, digits), 10);
  std::string_view name = text.substr(digits);
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& known) { return known.name == name; });
  if (!number || unit == units.end() || *number > highest / unit->factor) return std::nullopt;
  return *number * unit->factor;
}

std::string format_measure(std::uint64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (value % unit.factor == 0 && value != 0) best = &unit;
  }
  return std::to_string(value / best->factor) + std::string(best->name);
}

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) noexcept {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  return is_hex ? parse_digits(text.substr(2), 16) : parse_digits(text, 10);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept {
  if (text == "0") return std::chrono::milliseconds(0);
  const auto value = parse_measure(text, kDurations, kLongestDuration);
  if (!value) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*value));
}

std::string format_duration(std::chrono::milliseconds duration) {
  if (duration.count() == 0) return "0";
  return format_measure(static_cast<std::uint64_t>(duration.count()), kDurations);
}

std::optional<std::size_t> parse_byte_size(std::string_view text) noexcept {
  const auto value = parse_measure(text, kSizes, kLargestSize);
  if (!value) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

std::string format_byte_size(std::size_t bytes) {
  return format_measure(bytes, kPrintedSizes);
}

std::optional<std::uint64_t> parse_bitrate(std::string_view text) noexcept {
  return parse_measure(text, kRates, kHighestRate);
}

std::string format_bitrate(std::uint64_t bits_per_second) {
  return format_measure(bits_per_second, kPrintedRates);
}

std::optional<bool> parse_boolean(std::string_view text) noexcept {
  const auto is = [&](std::string_view word) {
    return text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(),
                                                    [](char a, char b) { return (a | 0x20) == b; });
  };
  if (is("true") || is("yes") || is("on")) return true;
  if (is("false") || is("no") || is("off")) return false;
  return std::nullopt;
}

std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.empty() || text.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = parse_digits(text.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(*byte));
  }
  return bytes;
}

}  // namespace runnel::config
