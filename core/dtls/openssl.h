// Owners of OpenSSL's objects, and its queue of errors as text. For .cpp files of this room only.
#pragma once

#include <memory>
#include <string>

#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace runnel::dtls {

template <auto Release>
struct Releaser {
  template <typename T>
  void operator()(T* object) const noexcept {
    Release(object);
  }
};

using BioPtr = std::unique_ptr<BIO, Releaser<BIO_free>>;
using BioMethodPtr = std::unique_ptr<BIO_METHOD, Releaser<BIO_meth_free>>;
using X509Ptr = std::unique_ptr<X509, Releaser<X509_free>>;
using PrivateKeyPtr = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using SslContextPtr = std::unique_ptr<SSL_CTX, Releaser<SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, Releaser<SSL_free>>;

/// Takes all errors of this thread's queue, and answers the reason of the one that says most, such
/// as "unsupported protocol"; "" when there was none.
[[nodiscard]] std::string take_openssl_error();

}  // namespace runnel::dtls
