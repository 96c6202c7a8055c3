#include "core/auth/limit_key.h"

namespace runnel::auth {

LimitKey LimitKey::of_address(const IpAddress& address) noexcept {
  const std::uint8_t* bytes = address.bytes().data();
  if (address.is_v4()) return {Kind::ipv4, load_be32(bytes)};
  return {Kind::ipv6_network, load_be64(bytes)};
}

std::uint64_t hash(LimitKey key, std::uint64_t seed) noexcept {
  // Two rounds of multiplying and folding (the finaliser of MurmurHash3), with the seed in each.
  std::uint64_t mixed = key.value ^ seed;
  mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdull;
  mixed ^= std::uint64_t{static_cast<std::uint8_t>(key.kind)} + (seed >> 7);
  mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return mixed ^ (mixed >> 33);
}

}  // namespace runnel::auth
