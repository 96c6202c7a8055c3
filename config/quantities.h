// Numbers, durations, sizes and rates as people write them: "0x1f", "500ms", "4MiB", "8Mbit/s".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::config {

/// Decimal, or hexadecimal behind "0x".
[[nodiscard]] std::optional<std::uint64_t> parse_integer(std::string_view text) noexcept;

/// A whole number and its unit (ms, s, m, h); a bare 0 needs none. At most a year.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(
    std::string_view text) noexcept;
/// In the largest unit that divides it: "500ms", "90s", "2m".
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

/// Bytes: a whole number and its unit (B, KiB, MiB, GiB; also k, M, G as powers of 1024); a bare
/// number means bytes. At most a tebibyte.
[[nodiscard]] std::optional<std::size_t> parse_byte_size(std::string_view text) noexcept;
/// In the largest unit that divides it: "4MiB", "1000B".
[[nodiscard]] std::string format_byte_size(std::size_t bytes);

/// Bits per second: a whole number and its unit (bit/s, kbit/s, Mbit/s, Gbit/s; also bps and the
/// like, and k, M, G), powers of 1000; a bare number means bit/s. At most a terabit.
[[nodiscard]] std::optional<std::uint64_t> parse_bitrate(std::string_view text) noexcept;
/// In the largest unit that divides it: "8Mbit/s".
[[nodiscard]] std::string format_bitrate(std::uint64_t bits_per_second);

/// YAML 1.2 and 1.1 booleans in any letter case: true, yes, on, false, no, off.
[[nodiscard]] std::optional<bool> parse_boolean(std::string_view text) noexcept;

/// An even number of hexadecimal digits, "0x" before them allowed.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text);

}  // namespace runnel::config
