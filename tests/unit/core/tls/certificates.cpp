// Makes certificates with OpenSSL.
#include "tests/unit/core/tls/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "core/base/check.h"

namespace runnel::tls {
namespace {

std::string text_of(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return {text, static_cast<std::size_t>(size)};
}

void add_extension(X509& certificate, int id, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
  RUNNEL_CHECK(extension != nullptr);
  X509_add_ext(&certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

}  // namespace

PrivateKeyPtr make_ec_key() {
  return PrivateKeyPtr(EVP_EC_gen("P-256"));
}
PrivateKeyPtr make_rsa_key(unsigned bits) {
  return PrivateKeyPtr(EVP_RSA_gen(static_cast<std::size_t>(bits)));
}
PrivateKeyPtr make_ed25519_key() {
  return PrivateKeyPtr(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
}

X509Ptr make_certificate(EVP_PKEY& key, const CertificateOptions& options) {
  static long serial = 0;
  X509Ptr certificate(X509_new());
  X509* raw = certificate.get();
  X509_set_version(raw, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(raw), ++serial);
  ASN1_TIME_set(X509_getm_notBefore(raw), options.not_before);
  ASN1_TIME_set(X509_getm_notAfter(raw), options.not_after);
  X509_set_pubkey(raw, &key);
  X509_NAME* name = X509_get_subject_name(raw);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(options.name.c_str()), -1, -1,
                             0);
  X509_set_issuer_name(raw,
                       options.issuer != nullptr ? X509_get_subject_name(options.issuer) : name);
  add_extension(*raw, NID_basic_constraints, "CA:TRUE");
  EVP_PKEY* signing_key = options.issuer_key != nullptr ? options.issuer_key : &key;
  RUNNEL_CHECK(X509_sign(raw, signing_key, EVP_sha256()) != 0);
  return certificate;
}

std::string pem_of(X509& certificate) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  RUNNEL_CHECK(PEM_write_bio_X509(out.get(), &certificate) == 1);
  return text_of(out.get());
}

std::string pem_of(EVP_PKEY& key, const std::string& passphrase) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  const EVP_CIPHER* cipher = passphrase.empty() ? nullptr : EVP_aes_128_cbc();
  RUNNEL_CHECK(PEM_write_bio_PKCS8PrivateKey(out.get(), &key, cipher, passphrase.data(),
                                             static_cast<int>(passphrase.size()), nullptr,
                                             nullptr) == 1);
  return text_of(out.get());
}

std::string traditional_pem_of(EVP_PKEY& key) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  RUNNEL_CHECK(PEM_write_bio_PrivateKey_traditional(out.get(), &key, nullptr, nullptr, 0, nullptr,
                                                    nullptr) == 1);
  return text_of(out.get());
}

}  // namespace runnel::tls
