// Certificates and keys made on the spot.
#pragma once

#include <cstdint>
#include <string>

#include "core/tls/openssl_handle.h"

namespace runnel::tls {

/// 2026-01-01T00:00:00Z
inline constexpr std::int64_t kNow = 1767225600;
inline constexpr std::int64_t kDay = 86400;

[[nodiscard]] PrivateKeyPtr make_ec_key();
[[nodiscard]] PrivateKeyPtr make_rsa_key(unsigned bits = 2048);
[[nodiscard]] PrivateKeyPtr make_ed25519_key();

struct CertificateOptions {
  std::string name = "live.example";
  std::int64_t not_before = kNow - kDay;
  std::int64_t not_after = kNow + kDay;
  /// Self-signed without.
  const X509* issuer = nullptr;
  EVP_PKEY* issuer_key = nullptr;
};
[[nodiscard]] X509Ptr make_certificate(EVP_PKEY& key, const CertificateOptions& options = {});

[[nodiscard]] std::string pem_of(X509& certificate);
/// Encrypted when there is a passphrase.
[[nodiscard]] std::string pem_of(EVP_PKEY& key, const std::string& passphrase = "");
/// As older tools write it: "BEGIN EC PRIVATE KEY", "BEGIN RSA PRIVATE KEY".
[[nodiscard]] std::string traditional_pem_of(EVP_PKEY& key);

}  // namespace runnel::tls
