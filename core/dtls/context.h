// What all DTLS handshakes of this process share: our certificate, the versions, ciphers and SRTP
// profiles that we accept.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/dtls/fingerprint.h"
#include "core/srtp/profile.h"

namespace runnel::dtls {

struct ContextShared;  // OpenSSL stays out of the headers

/// Copies share one certificate. OpenSSL's own randomness is used.
class Context {
 public:
  /// A new self-signed certificate with an ECDSA key on P-256. The common name means nothing to
  /// anybody. An error is a sentence about OpenSSL.
  [[nodiscard]] static std::expected<Context, std::string> self_signed();
  /// A certificate and its key in PEM, EC or RSA from 2048 bits on; of several certificates the
  /// first. The error names what is wrong with which of them.
  [[nodiscard]] static std::expected<Context, std::string> from_pem(std::string_view certificate,
                                                                    std::string_view key);
  /// The same with other SRTP profiles, in order of preference; at least one that DTLS knows, which
  /// are all but those of AES-CM with 256 bits.
  [[nodiscard]] Context with_profiles(std::span<const srtp::Profile> profiles) const;

  /// Of our certificate, by SHA-256.
  [[nodiscard]] const Fingerprint& fingerprint() const noexcept;
  [[nodiscard]] const ContextShared& shared() const noexcept { return *shared_; }

 private:
  explicit Context(std::shared_ptr<const ContextShared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<const ContextShared> shared_;
};

}  // namespace runnel::dtls
