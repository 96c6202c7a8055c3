#include "core/crypto/sha256.h"

#include <openssl/sha.h>

namespace runnel::crypto {

std::array<std::uint8_t, kSha256DigestSize> sha256(ByteView message) noexcept {
  std::array<std::uint8_t, kSha256DigestSize> digest;
  SHA256(message.data(), message.size(), digest.data());
  return digest;
}

}  // namespace runnel::crypto
