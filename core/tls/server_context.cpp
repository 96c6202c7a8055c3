// Sets up OpenSSL for a server.
#include "core/tls/server_context.h"

#include <array>
#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "core/tls/credentials.h"
#include "core/tls/openssl_error.h"
#include "core/tls/server_context_shared.h"

namespace runnel::tls {
namespace {

/// RFC 7301: one protocol, prefixed by its length.
constexpr std::array<unsigned char, 9> kProtocols{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int select_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned int offered_size, void*) noexcept {
  unsigned char* selected = nullptr;
  const int outcome = SSL_select_next_proto(&selected, out_size, kProtocols.data(),
                                            kProtocols.size(), offered, offered_size);
  if (outcome != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *out = selected;
  return SSL_TLSEXT_ERR_OK;
}

/// TLS 1.2 with forward secrecy and AEAD only; the suites of TLS 1.3 are all of that kind.
bool configure(SSL_CTX* context) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  // Records are cut by us, and the caller's buffers move. Idle connections keep no record buffers.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  // Tickets carry what a resumption needs; nothing is kept here for clients that do not come back.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, select_protocol, nullptr);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1 &&
         SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

bool use_certificates(SSL_CTX* context, const std::vector<X509Ptr>& certificates) {
  if (SSL_CTX_use_certificate(context, certificates.front().get()) != 1) return false;
  for (std::size_t i = 1; i < certificates.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, certificates[i].get()) != 1) return false;
  }
  return true;
}

std::unexpected<std::string> refusal(const std::string& sentence) {
  return std::unexpected(sentence + " (" + take_openssl_error() + ")");
}

}  // namespace

ServerContext::ServerContext(std::shared_ptr<const Shared> shared) noexcept
    : shared_(std::move(shared)) {}

const std::vector<std::string>& ServerContext::warnings() const noexcept {
  return shared_->warnings;
}

const std::string& ServerContext::description() const noexcept {
  return shared_->description;
}

std::expected<ServerContext, std::string> ServerContext::create(std::string_view certificate_pem,
                                                                std::string_view private_key_pem,
                                                                std::int64_t now) {
  const auto certificates = parse_certificates(certificate_pem);
  if (!certificates) return std::unexpected(certificates.error());
  const auto key = parse_private_key(private_key_pem);
  if (!key) return std::unexpected(key.error());
  if (X509_check_private_key(certificates->front().get(), key->get()) != 1) {
    ERR_clear_error();
    return std::unexpected("the private key does not belong to the first certificate");
  }

  SslContextPtr context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr || !configure(context.get())) return refusal("TLS cannot be set up");
  if (!use_certificates(context.get(), *certificates)) {
    return refusal("the certificate cannot be used");
  }
  if (SSL_CTX_use_PrivateKey(context.get(), key->get()) != 1) {
    return refusal("the private key cannot be used");
  }
  return ServerContext(
      std::make_shared<const Shared>(Shared{.context = std::move(context),
                                            .warnings = warnings_of(*certificates, now),
                                            .description = describe(*certificates->front())}));
}

}  // namespace runnel::tls
