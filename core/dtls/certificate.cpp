// Makes, reads and hashes certificates with OpenSSL.
#include "core/dtls/certificate.h"

#include <algorithm>
#include <array>

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

namespace runnel::dtls {
namespace {

// Nobody looks at the dates, and there is no clock here to take better ones from.
constexpr const char* kNotBefore = "200101000000Z";
constexpr const char* kNotAfter = "491231235959Z";
constexpr std::string_view kCommonName = "runnel";

bool set_random_serial(X509* certificate) {
  std::array<unsigned char, 8> bytes;
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, and never short
  std::uint64_t serial = 0;
  for (const unsigned char byte : bytes) serial = serial << 8 | byte;
  return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1;
}

bool fill_and_sign(X509* certificate, EVP_PKEY* key) {
  X509_NAME* name = X509_get_subject_name(certificate);
  return X509_set_version(certificate, X509_VERSION_3) == 1 && set_random_serial(certificate) &&
         ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), kNotBefore) == 1 &&
         ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), kNotAfter) == 1 &&
         X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                    reinterpret_cast<const unsigned char*>(kCommonName.data()),
                                    static_cast<int>(kCommonName.size()), -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1 &&
         X509_sign(certificate, key, EVP_sha256()) != 0;
}

BioPtr reader_of(std::string_view text) {
  // OpenSSL takes the length as int.
  constexpr std::size_t kMaxSize = 1 << 20;
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(std::min(text.size(), kMaxSize))));
}

/// OpenSSL asks for a passphrase only when something is encrypted; there is nobody to ask.
int note_encryption(char*, int, int, void* was_asked) noexcept {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

std::string with_reason(std::string sentence) {
  const std::string reason = take_openssl_error();
  return reason.empty() ? sentence : sentence + " (" + reason + ")";
}

const EVP_MD* digest_of(HashFunction function) noexcept {
  switch (function) {
    case HashFunction::sha_256:
      return EVP_sha256();
    case HashFunction::sha_384:
      return EVP_sha384();
    case HashFunction::sha_512:
      return EVP_sha512();
  }
  return nullptr;
}

}  // namespace

Certificate Certificate::share() const noexcept {
  X509_up_ref(certificate.get());
  EVP_PKEY_up_ref(key.get());
  return {X509Ptr(certificate.get()), PrivateKeyPtr(key.get())};
}

std::expected<Certificate, std::string> make_self_signed() {
  ERR_clear_error();
  Certificate made{X509Ptr(X509_new()), PrivateKeyPtr(EVP_EC_gen("P-256"))};
  if (made.certificate == nullptr || made.key == nullptr ||
      !fill_and_sign(made.certificate.get(), made.key.get())) {
    return std::unexpected(with_reason("a certificate for DTLS cannot be made"));
  }
  return made;
}

std::expected<Certificate, std::string> parse_certificate(std::string_view certificate_pem,
                                                          std::string_view key_pem) {
  ERR_clear_error();
  bool is_encrypted = false;
  Certificate parsed;
  parsed.certificate.reset(
      PEM_read_bio_X509(reader_of(certificate_pem).get(), nullptr, note_encryption, &is_encrypted));
  if (parsed.certificate == nullptr) {
    return std::unexpected(with_reason("there is no certificate in PEM form that can be read"));
  }
  parsed.key.reset(
      PEM_read_bio_PrivateKey(reader_of(key_pem).get(), nullptr, note_encryption, &is_encrypted));
  if (is_encrypted) {
    ERR_clear_error();
    return std::unexpected("the private key is encrypted; store it without a passphrase");
  }
  if (parsed.key == nullptr) {
    return std::unexpected(with_reason("there is no private key in PEM form that can be read"));
  }
  const int type = EVP_PKEY_get_base_id(parsed.key.get());
  if (type != EVP_PKEY_RSA && type != EVP_PKEY_EC) {
    return std::unexpected("the private key is neither an RSA nor an EC key");
  }
  if (X509_check_private_key(parsed.certificate.get(), parsed.key.get()) != 1) {
    ERR_clear_error();
    return std::unexpected("the private key does not belong to the certificate");
  }
  return parsed;
}

std::optional<Fingerprint> fingerprint_of(const X509& certificate, HashFunction function) noexcept {
  Fingerprint fingerprint{.function = function};
  if (X509_digest(&certificate, digest_of(function), fingerprint.bytes.data(), nullptr) != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  return fingerprint;
}

}  // namespace runnel::dtls
