#include "core/auth/static_token.h"

#include "core/crypto/constant_time.h"
#include "core/crypto/sha256.h"

namespace runnel::auth {

TokenDigest::TokenDigest(std::string_view token) noexcept {
  auto digest = crypto::sha256({reinterpret_cast<const std::uint8_t*>(token.data()), token.size()});
  digest_ = Secret<crypto::kSha256DigestSize>(digest);
  wipe(digest.data(), digest.size());
}

bool TokenDigest::equals(const TokenDigest& other) const noexcept {
  return crypto::equal_in_constant_time(digest_.view(), other.digest_.view());
}

std::uint64_t TokenDigest::prefix() const noexcept {
  return load_be64(digest_.view().data());
}

}  // namespace runnel::auth
