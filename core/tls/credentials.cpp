// Reads PEM with OpenSSL, and says in sentences what is wrong with it.
#include "core/tls/credentials.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "core/tls/openssl_error.h"

namespace runnel::tls {
namespace {

BioPtr reader_of(std::string_view text) {
  // OpenSSL takes the length as int.
  constexpr std::size_t kMaxSize = 1 << 20;
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(std::min(text.size(), kMaxSize))));
}

/// OpenSSL asks for a passphrase only when the key is encrypted; there is nobody to ask.
int note_encryption(char*, int, int, void* was_asked) noexcept {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

int no_passphrase(char*, int, int, void*) noexcept {
  return -1;
}

std::string with_reason(std::string sentence) {
  const std::string reason = take_openssl_error();
  return reason.empty() ? sentence : sentence + " (" + reason + ")";
}

std::string time_text(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown time";
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string ordinal(std::size_t index) {
  return "certificate " + std::to_string(index + 1);
}

}  // namespace

std::expected<std::vector<X509Ptr>, std::string> parse_certificates(std::string_view pem) {
  ERR_clear_error();
  const BioPtr reader = reader_of(pem);
  std::vector<X509Ptr> certificates;
  while (X509Ptr next{PEM_read_bio_X509(reader.get(), nullptr, no_passphrase, nullptr)}) {
    certificates.push_back(std::move(next));
  }
  const unsigned long error = ERR_peek_last_error();
  const bool at_end =
      ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  if (!at_end) {
    return std::unexpected(with_reason(ordinal(certificates.size()) + " cannot be read"));
  }
  ERR_clear_error();
  if (certificates.empty()) {
    return std::unexpected("there is no certificate in PEM form (-----BEGIN CERTIFICATE-----)");
  }
  return certificates;
}

std::expected<PrivateKeyPtr, std::string> parse_private_key(std::string_view pem) {
  ERR_clear_error();
  bool is_encrypted = false;
  PrivateKeyPtr key(
      PEM_read_bio_PrivateKey(reader_of(pem).get(), nullptr, note_encryption, &is_encrypted));
  if (is_encrypted) {
    ERR_clear_error();
    return std::unexpected(
        "the private key is encrypted; store it without a passphrase, readable by the daemon "
        "alone");
  }
  if (key == nullptr) {
    return std::unexpected(with_reason("there is no private key in PEM form that can be read"));
  }
  const int type = EVP_PKEY_get_base_id(key.get());
  if (type != EVP_PKEY_RSA && type != EVP_PKEY_EC) {
    return std::unexpected("the private key is neither an RSA nor an EC key");
  }
  return key;
}

std::vector<std::string> warnings_of(const std::vector<X509Ptr>& certificates, std::int64_t now) {
  std::vector<std::string> warnings;
  std::time_t at = now;
  for (std::size_t i = 0; i < certificates.size(); ++i) {
    const X509* certificate = certificates[i].get();
    if (X509_cmp_time(X509_get0_notAfter(certificate), &at) < 0) {
      warnings.push_back(ordinal(i) + " has expired at " +
                         time_text(X509_get0_notAfter(certificate)));
    }
    if (X509_cmp_time(X509_get0_notBefore(certificate), &at) > 0) {
      warnings.push_back(ordinal(i) + " is not valid before " +
                         time_text(X509_get0_notBefore(certificate)));
    }
    const bool is_issued_by_next =
        i + 1 == certificates.size() ||
        X509_check_issued(certificates[i + 1].get(), certificates[i].get()) == X509_V_OK;
    if (!is_issued_by_next) {
      warnings.push_back(ordinal(i + 1) + " has not issued " + ordinal(i) +
                         "; clients may not trust the chain");
    }
  }
  ERR_clear_error();
  return warnings;
}

std::string describe(const X509& certificate) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_ONELINE);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<std::size_t>(size)) + ", until " +
         time_text(X509_get0_notAfter(&certificate));
}

}  // namespace runnel::tls
