// Compares fingerprints, in OpenSSL's place for checking chains.
#include "core/dtls/peer_identity.h"

#include <algorithm>

#include "core/dtls/certificate.h"

namespace runnel::dtls {

void PeerIdentity::expect(std::span<const Fingerprint> fingerprints) noexcept {
  if (count_ != 0) return;
  count_ = std::min(fingerprints.size(), expected_.size());
  std::copy_n(fingerprints.begin(), count_, expected_.begin());
}

Verdict PeerIdentity::judge(const X509& certificate) const noexcept {
  if (count_ == 0) return Verdict::undecided;
  const bool is_expected =
      std::any_of(expected_.begin(), expected_.begin() + static_cast<std::ptrdiff_t>(count_),
                  [&](const Fingerprint& expected) {
                    return fingerprint_of(certificate, expected.function) == expected;
                  });
  return is_expected ? Verdict::right : Verdict::wrong;
}

void PeerIdentity::attach(SSL* ssl) noexcept {
  SSL_set_app_data(ssl, this);
}

void PeerIdentity::replace_verification(SSL_CTX* context) noexcept {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_cert_verify_callback(context, verify, nullptr);
}

int PeerIdentity::verify(X509_STORE_CTX* chain, void*) noexcept {
  const void* ssl = X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx());
  auto& self = *static_cast<PeerIdentity*>(SSL_get_app_data(static_cast<const SSL*>(ssl)));
  const X509* certificate = X509_STORE_CTX_get0_cert(chain);
  self.has_rejected_ = certificate == nullptr || self.judge(*certificate) == Verdict::wrong;
  X509_STORE_CTX_set_error(chain, self.has_rejected_ ? X509_V_ERR_CERT_REJECTED : X509_V_OK);
  return self.has_rejected_ ? 0 : 1;
}

}  // namespace runnel::dtls
