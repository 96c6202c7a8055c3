// From a master key to the session keys (RFC 3711 §4.3, RFC 6188 §3, RFC 7714 §11).
#pragma once

#include <cstdint>

#include "core/base/bytes.h"
#include "core/srtp/master_key.h"

namespace runnel::srtp {

/// What a derived key is for (RFC 3711 §4.3.2).
enum class KeyLabel : std::uint8_t {
  rtp_encryption = 0,
  rtp_authentication = 1,
  rtp_salt = 2,
  rtcp_encryption = 3,
  rtcp_authentication = 4,
  rtcp_salt = 5,
};

/// Fills `out` with the output of the AES-CM pseudo-random function for `label`, at key derivation
/// rate 0, so that the session keys live as long as the master key. The caller wipes `out`.
void derive_key(const MasterKey& master, KeyLabel label, ByteSpan out);

/// The same as a secret of `size` bytes.
template <std::size_t Capacity>
[[nodiscard]] Secret<Capacity> derive_secret(const MasterKey& master, KeyLabel label,
                                             std::size_t size) {
  std::array<std::uint8_t, Capacity> bytes;
  derive_key(master, label, ByteSpan(bytes).first(size));
  Secret<Capacity> secret(ByteView(bytes).first(size));
  wipe(bytes.data(), bytes.size());
  return secret;
}

}  // namespace runnel::srtp
