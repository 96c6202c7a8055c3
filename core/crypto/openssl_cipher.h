// Owns an OpenSSL cipher context; OpenSSL itself wipes the key when the context is freed.
#pragma once

#include <memory>

#include <openssl/evp.h>

namespace runnel::crypto {

struct FreeCipherContext {
  void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeCipherContext>;

}  // namespace runnel::crypto
