// Certificates with their private keys, and what they hash to. For .cpp files of this room only.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "core/dtls/fingerprint.h"
#include "core/dtls/openssl.h"

namespace runnel::dtls {

struct Certificate {
  X509Ptr certificate;
  PrivateKeyPtr key;

  /// Another handle to the same.
  [[nodiscard]] Certificate share() const noexcept;
};

/// A new ECDSA key on P-256, and a certificate that it has signed itself.
[[nodiscard]] std::expected<Certificate, std::string> make_self_signed();
/// The first certificate of `certificate_pem`; nobody looks at those that have issued it. The error
/// is a sentence.
[[nodiscard]] std::expected<Certificate, std::string> parse_certificate(
    std::string_view certificate_pem, std::string_view key_pem);

/// nullopt: out of memory.
[[nodiscard]] std::optional<Fingerprint> fingerprint_of(const X509& certificate,
                                                        HashFunction function) noexcept;

}  // namespace runnel::dtls
