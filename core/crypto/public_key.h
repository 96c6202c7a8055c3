// What kind of public key a PEM text holds, so that a wrong one is refused at start.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"

namespace runnel::crypto {

struct PublicKeyKind {
  enum class Family : std::uint8_t { rsa, ec_p256, other };

  Family family = Family::other;
  unsigned bits = 0;
};

/// The first public key (RFC 7468 §13) of `pem`, which is at most 1 MiB; nullopt when there is none
/// that can be read.
[[nodiscard]] std::optional<PublicKeyKind> inspect_public_key(ByteView pem) noexcept;

}  // namespace runnel::crypto
