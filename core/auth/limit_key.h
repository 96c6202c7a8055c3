// Whom a limit counts: an address, or a token.
#pragma once

#include <cstdint>

#include "core/base/address.h"
#include "core/base/bytes.h"

namespace runnel::auth {

/// Small, and of one kind for addresses and tokens, so that one table can hold both.
struct LimitKey {
  enum class Kind : std::uint8_t { ipv4, ipv6_network, token };

  Kind kind = Kind::ipv4;
  std::uint64_t value = 0;

  /// An IPv4 address by itself, an IPv6 address by its /64, which one host can use all of.
  [[nodiscard]] static LimitKey of_address(const IpAddress& address) noexcept;
  /// Identity::key.
  [[nodiscard]] static LimitKey of_token(std::uint64_t key) noexcept { return {Kind::token, key}; }

  friend bool operator==(const LimitKey&, const LimitKey&) = default;
};

/// Mixes key and seed so that equal keys alone are likely to be equal in any few bits.
[[nodiscard]] std::uint64_t hash(LimitKey key, std::uint64_t seed) noexcept;

}  // namespace runnel::auth
