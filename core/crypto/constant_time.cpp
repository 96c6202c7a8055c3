#include "core/crypto/constant_time.h"

#include <openssl/crypto.h>

namespace runnel::crypto {

bool equal_in_constant_time(ByteView a, ByteView b) noexcept {
  if (a.size() != b.size()) return false;
  return a.empty() || CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace runnel::crypto
