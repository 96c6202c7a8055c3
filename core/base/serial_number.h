// Comparison of numbers that wrap (RFC 1982).
#pragma once

#include <concepts>
#include <type_traits>

namespace runnel {

/// How far `to` lies ahead of `from`, taking the shorter way round; negative when behind. Half the
/// circle counts as behind.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::make_signed_t<T> serial_distance(T from, T to) noexcept {
  return static_cast<std::make_signed_t<T>>(static_cast<T>(to - from));
}

/// Whether `a` comes after `b`.
template <std::unsigned_integral T>
[[nodiscard]] constexpr bool serial_after(T a, T b) noexcept {
  return serial_distance(b, a) > 0;
}

}  // namespace runnel
