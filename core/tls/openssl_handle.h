// Owners of OpenSSL's objects. For .cpp files of this room only.
#pragma once

#include <memory>

#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace runnel::tls {

template <auto Release>
struct Releaser {
  template <typename T>
  void operator()(T* object) const noexcept {
    Release(object);
  }
};

using BioPtr = std::unique_ptr<BIO, Releaser<BIO_free>>;
using X509Ptr = std::unique_ptr<X509, Releaser<X509_free>>;
using PrivateKeyPtr = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using SslContextPtr = std::unique_ptr<SSL_CTX, Releaser<SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, Releaser<SSL_free>>;

}  // namespace runnel::tls
