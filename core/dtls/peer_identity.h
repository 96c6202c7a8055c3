// Whether the peer's certificate is one that it has announced. For .cpp files of this room only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtls/association.h"
#include "core/dtls/fingerprint.h"
#include "core/dtls/openssl.h"

namespace runnel::dtls {

enum class Verdict : std::uint8_t { undecided, right, wrong };

/// Fingerprints may be known before the certificate comes: then a wrong one ends the handshake with
/// the alert bad_certificate. If not, the certificate is judged when they are.
class PeerIdentity {
 public:
  /// Of one of these; the first call counts.
  void expect(std::span<const Fingerprint> fingerprints) noexcept;
  /// `undecided` while nothing is expected yet.
  [[nodiscard]] Verdict judge(const X509& certificate) const noexcept;
  /// Whether the handshake has ended for that.
  [[nodiscard]] bool has_rejected() const noexcept { return has_rejected_; }

  /// Has the certificate of this connection's peer judged here. Must outlive `ssl`.
  void attach(SSL* ssl) noexcept;
  /// Nothing else of certificates is looked at: neither chain nor dates nor names.
  static void replace_verification(SSL_CTX* context) noexcept;

 private:
  static int verify(X509_STORE_CTX* chain, void* unused) noexcept;

  std::array<Fingerprint, kMaxFingerprints> expected_;
  std::size_t count_ = 0;
  bool has_rejected_ = false;
};

}  // namespace runnel::dtls
