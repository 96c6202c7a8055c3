// Certificates: made at start, or configured.
#include <array>
#include <string>

#include <gtest/gtest.h>
#include <openssl/ec.h>

#include "core/dtls/context_shared.h"
#include "tests/unit/core/dtls/openssl_peer.h"

namespace runnel::dtls {
namespace {

struct Pem {
  std::string certificate;
  std::string key;
};

Pem both_as_pem(const Certificate& certificate) {
  return {pem_of(*certificate.certificate), pem_of(*certificate.key)};
}

TEST(SelfSigned, HasAKeyOfP256AndItsOwnFingerprint) {
  const Context& context = first_context();
  const Certificate& certificate = context.shared().certificate;
  EXPECT_EQ(EVP_PKEY_get_base_id(certificate.key.get()), EVP_PKEY_EC);
  EXPECT_EQ(EVP_PKEY_get_bits(certificate.key.get()), 256);
  EXPECT_EQ(X509_verify(certificate.certificate.get(), certificate.key.get()), 1);
  EXPECT_EQ(context.fingerprint(),
            fingerprint_of(*certificate.certificate, HashFunction::sha_256).value());
  EXPECT_EQ(Fingerprint::parse(context.fingerprint().to_string()), context.fingerprint());
  EXPECT_NE(context.fingerprint(), second_context().fingerprint());
}

TEST(FromPem, TakesEcAndRsaKeys) {
  const std::array certificates{make_self_signed().value(), make_rsa_certificate()};
  for (const Certificate& certificate : certificates) {
    const Pem pem = both_as_pem(certificate);
    const auto context = Context::from_pem(pem.certificate, pem.key);
    ASSERT_TRUE(context) << context.error();
    EXPECT_EQ(context->fingerprint(),
              fingerprint_of(*certificate.certificate, HashFunction::sha_256).value());
    Pair pair(first_context(), *context);
    pair.run();
    EXPECT_TRUE(pair.are_connected());
  }
}

TEST(FromPem, NamesWhatIsWrong) {
  const Certificate first = make_self_signed().value();
  const Certificate second = make_self_signed().value();
  const Pem pem = both_as_pem(first);
  const auto error_of = [](const std::string& certificate, const std::string& key) {
    const auto context = Context::from_pem(certificate, key);
    return context ? std::string() : context.error();
  };
  EXPECT_NE(error_of("", pem.key).find("no certificate"), std::string::npos);
  EXPECT_NE(error_of(pem.key, pem.key).find("no certificate"), std::string::npos);
  EXPECT_NE(error_of(pem.certificate, "").find("no private key"), std::string::npos);
  EXPECT_NE(error_of(pem.certificate, pem_of(*second.key)).find("does not belong"),
            std::string::npos);
  EXPECT_NE(error_of(pem.certificate, pem_of(*first.key, "secret")).find("encrypted"),
            std::string::npos);
  const Pem weak = both_as_pem(make_rsa_certificate(1024));
  EXPECT_NE(error_of(weak.certificate, weak.key).find("cannot be used"), std::string::npos);
}

TEST(WithProfiles, KeepsTheCertificate) {
  const std::array profiles{srtp::Profile::aes_cm_128_hmac_sha1_80};
  const Context narrowed = first_context().with_profiles(profiles);
  EXPECT_EQ(narrowed.fingerprint(), first_context().fingerprint());
  Pair pair(narrowed);
  pair.run();
  ASSERT_TRUE(pair.are_connected());
  EXPECT_EQ(pair.client.keys()->local.profile(), profiles[0]);
}

}  // namespace
}  // namespace runnel::dtls
