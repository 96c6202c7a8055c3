#include "core/crypto/public_key.h"

#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>

namespace runnel::crypto {
namespace {

constexpr std::size_t kLongestText = 1024 * 1024;

struct Free {
  void operator()(BIO* bio) const noexcept { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};

/// Keeps OpenSSL from asking the terminal.
extern "C" int no_password(char*, int, int, void*) noexcept {
  return -1;
}

bool is_p256(const EVP_PKEY* key) noexcept {
  char name[32] = {};
  std::size_t size = 0;
  return EVP_PKEY_get_group_name(key, name, sizeof name, &size) == 1 &&
         std::string_view(name, size) == SN_X9_62_prime256v1;
}

}  // namespace

std::optional<PublicKeyKind> inspect_public_key(ByteView pem) noexcept {
  if (pem.size() > kLongestText) return std::nullopt;
  const std::unique_ptr<BIO, Free> text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!text) return std::nullopt;
  const std::unique_ptr<EVP_PKEY, Free> key(
      PEM_read_bio_PUBKEY(text.get(), nullptr, no_password, nullptr));
  if (!key) return std::nullopt;
  PublicKeyKind kind;
  kind.bits = static_cast<unsigned>(EVP_PKEY_get_bits(key.get()));
  if (EVP_PKEY_is_a(key.get(), "RSA") == 1) kind.family = PublicKeyKind::Family::rsa;
  if (EVP_PKEY_is_a(key.get(), "EC") == 1 && is_p256(key.get())) {
    kind.family = PublicKeyKind::Family::ec_p256;
  }
  return kind;
}

}  // namespace runnel::crypto
