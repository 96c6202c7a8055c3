// Drives OpenSSL as a peer.
#include "tests/unit/core/dtls/openssl_peer.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "core/base/check.h"

namespace runnel::dtls {
namespace {

constexpr unsigned kUnknownExtension = 65'000;

int add_padding(SSL*, unsigned, unsigned, const unsigned char** out, std::size_t* size, X509*,
                std::size_t, int*, void* padding) noexcept {
  const auto& bytes = *static_cast<std::vector<unsigned char>*>(padding);
  *out = bytes.data();
  *size = bytes.size();
  return 1;
}

int accept_any(X509_STORE_CTX*, void*) noexcept {
  return 1;
}

Certificate sign(PrivateKeyPtr key, const char* not_before, const char* not_after,
                 std::size_t padding) {
  Certificate made{X509Ptr(X509_new()), std::move(key)};
  X509* raw = made.certificate.get();
  X509_set_version(raw, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(raw), 7);
  ASN1_TIME_set_string_X509(X509_getm_notBefore(raw), not_before);
  ASN1_TIME_set_string_X509(X509_getm_notAfter(raw), not_after);
  X509_set_pubkey(raw, made.key.get());
  if (padding > 0) {
    const std::string comment(padding, 'x');
    X509_EXTENSION* extension =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_netscape_comment, comment.c_str());
    RUNNEL_CHECK(extension != nullptr && X509_add_ext(raw, extension, -1) == 1);
    X509_EXTENSION_free(extension);
  }
  RUNNEL_CHECK(X509_sign(raw, made.key.get(), EVP_sha256()) != 0);
  return made;
}

std::string text_of(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

Certificate make_rsa_certificate(unsigned bits) {
  return sign(PrivateKeyPtr(EVP_RSA_gen(static_cast<std::size_t>(bits))), "200101000000Z",
              "491231235959Z", 0);
}

Certificate make_dated_certificate(const char* not_before, const char* not_after) {
  return sign(PrivateKeyPtr(EVP_EC_gen("P-256")), not_before, not_after, 0);
}

Certificate make_padded_certificate(std::size_t size) {
  return sign(PrivateKeyPtr(EVP_EC_gen("P-256")), "200101000000Z", "491231235959Z", size);
}

std::string pem_of(const X509& certificate) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  RUNNEL_CHECK(PEM_write_bio_X509(out.get(), &certificate) == 1);
  return text_of(out.get());
}

std::string pem_of(const EVP_PKEY& key, const std::string& passphrase) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  const EVP_CIPHER* cipher = passphrase.empty() ? nullptr : EVP_aes_128_cbc();
  RUNNEL_CHECK(PEM_write_bio_PKCS8PrivateKey(out.get(), &key, cipher, passphrase.data(),
                                             static_cast<int>(passphrase.size()), nullptr,
                                             nullptr) == 1);
  return text_of(out.get());
}

OpensslPeer::OpensslPeer(const OpensslPeerOptions& options) : context_(SSL_CTX_new(DTLS_method())) {
  SSL_CTX* context = context_.get();
  SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU);
  SSL_CTX_set_security_level(context, 0);
  RUNNEL_CHECK(SSL_CTX_set_cipher_list(context, options.ciphers) == 1);
  if (*options.profiles != '\0') SSL_CTX_set_tlsext_use_srtp(context, options.profiles);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(context, accept_any, nullptr);
  std::vector<unsigned char> padding(options.hello_padding, 0x5a);
  if (options.hello_padding > 0) {
    SSL_CTX_add_custom_ext(context, kUnknownExtension, SSL_EXT_CLIENT_HELLO, add_padding, nullptr,
                           &padding, nullptr, nullptr);
  }
  if (options.certificate != nullptr) {
    RUNNEL_CHECK(SSL_CTX_use_certificate(context, options.certificate->certificate.get()) == 1);
    RUNNEL_CHECK(SSL_CTX_use_PrivateKey(context, options.certificate->key.get()) == 1);
  }
  ssl_.reset(SSL_new(context));
  RUNNEL_CHECK(attach(ssl_.get(), port_));
  SSL_set_mtu(ssl_.get(), options.mtu);
  if (options.role == Role::active) {
    SSL_set_connect_state(ssl_.get());
    SSL_do_handshake(ssl_.get());  // the ClientHello, while its padding lives
  } else {
    SSL_set_accept_state(ssl_.get());
  }
}

Datagrams OpensslPeer::say() {
  flights_.begin_turn({});
  return taken();
}

Datagrams OpensslPeer::hear(const Datagrams& datagrams) {
  for (const Bytes& datagram : datagrams) {
    ERR_clear_error();
    flights_.begin_turn({});
    port_.incoming = datagram;
    std::uint8_t byte = 0;
    const int outcome = SSL_read(ssl_.get(), &byte, 1);
    if (outcome <= 0 && SSL_get_error(ssl_.get(), outcome) == SSL_ERROR_SSL) {
      alert_ = take_openssl_error();
    }
    port_.incoming = {};
  }
  return taken();
}

Datagrams OpensslPeer::taken() {
  Datagrams datagrams;
  while (const auto datagram = flights_.next()) {
    datagrams.emplace_back(datagram->begin(), datagram->end());
  }
  return datagrams;
}

void converse(OpensslPeer& peer, Association& association, Timestamp now) {
  Datagrams from_peer = peer.say();
  for (;;) {
    for (const Bytes& datagram : from_peer) association.receive(now, datagram);
    const Datagrams to_peer = take(association);
    if (from_peer.empty() && to_peer.empty()) return;
    from_peer = peer.hear(to_peer);
  }
}

}  // namespace runnel::dtls
