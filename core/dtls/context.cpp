// Sets up OpenSSL for DTLS-SRTP.
#include "core/dtls/context.h"

#include <utility>

#include <openssl/err.h>
#include <openssl/srtp.h>

#include "core/base/check.h"
#include "core/dtls/association.h"
#include "core/dtls/context_shared.h"
#include "core/dtls/peer_identity.h"
#include "core/dtls/srtp_profile.h"

namespace runnel::dtls {
namespace {

// RFC 8827 §6.5: forward secrecy and AEAD. The suites with RSA are for peers with such keys.
constexpr const char* kCiphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384";
constexpr const char* kGroups = "X25519:P-256:P-384";
constexpr int kSecurityLevel = 2;  // 112 bits: RSA from 2048 on

/// The highest version is OpenSSL's own.
bool configure(SSL_CTX* context, const std::string& profiles) {
  SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_security_level(context, kSecurityLevel);
  SSL_CTX_set_max_cert_list(context, static_cast<long>(kMaxCertificateMessage));
  PeerIdentity::replace_verification(context);
  return SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, 0) == 1 &&
         SSL_CTX_set_cipher_list(context, kCiphers) == 1 &&
         SSL_CTX_set1_groups_list(context, kGroups) == 1 &&
         // Sizes OpenSSL's buffer for records that are sent.
         SSL_CTX_set_max_send_fragment(context, static_cast<long>(kMtu)) == 1 &&
         SSL_CTX_set_tlsext_use_srtp(context, profiles.c_str()) == 0;  // 0 is its success
}

std::expected<std::shared_ptr<const ContextShared>, std::string> share(
    Certificate certificate, std::span<const srtp::Profile> profiles) {
  ERR_clear_error();
  const auto refusal = [](const char* sentence) {
    return std::unexpected(std::string(sentence) + " (" + take_openssl_error() + ")");
  };
  const auto fingerprint = fingerprint_of(*certificate.certificate, HashFunction::sha_256);
  SslContextPtr context(SSL_CTX_new(DTLS_method()));
  if (!fingerprint || context == nullptr || !configure(context.get(), use_srtp_list(profiles))) {
    return refusal("DTLS cannot be set up");
  }
  if (SSL_CTX_use_certificate(context.get(), certificate.certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), certificate.key.get()) != 1) {
    return refusal("the certificate cannot be used");
  }
  return std::make_shared<const ContextShared>(ContextShared{.certificate = std::move(certificate),
                                                             .fingerprint = *fingerprint,
                                                             .context = std::move(context)});
}

}  // namespace

std::expected<Context, std::string> Context::self_signed() {
  auto made = make_self_signed();
  if (!made) return std::unexpected(made.error());
  auto shared = share(std::move(*made), kPreferredProfiles);
  if (!shared) return std::unexpected(shared.error());
  return Context(std::move(*shared));
}

std::expected<Context, std::string> Context::from_pem(std::string_view certificate,
                                                      std::string_view key) {
  auto parsed = parse_certificate(certificate, key);
  if (!parsed) return std::unexpected(parsed.error());
  auto shared = share(std::move(*parsed), kPreferredProfiles);
  if (!shared) return std::unexpected(shared.error());
  return Context(std::move(*shared));
}

Context Context::with_profiles(std::span<const srtp::Profile> profiles) const {
  auto shared = share(shared_->certificate.share(), profiles);
  RUNNEL_CHECK(shared.has_value());
  return Context(std::move(*shared));
}

const Fingerprint& Context::fingerprint() const noexcept {
  return shared_->fingerprint;
}

}  // namespace runnel::dtls
