#include "core/tls/server_context.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/tls/certificates.h"
#include "tests/unit/core/tls/client.h"

namespace runnel::tls {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_of(const std::string& certificate, const std::string& key) {
  const auto context = ServerContext::create(certificate, key, kNow);
  return context ? "" : context.error();
}

TEST(ServerContext, TakesEcAndRsaKeys) {
  for (const PrivateKeyPtr& key : {make_ec_key(), make_rsa_key()}) {
    const X509Ptr certificate = make_certificate(*key);
    const auto context = ServerContext::create(pem_of(*certificate), pem_of(*key), kNow);
    ASSERT_TRUE(context) << context.error();
    EXPECT_THAT(context->warnings(), IsEmpty());
    EXPECT_EQ(context->description(), "CN = live.example, until 2026-01-02T00:00:00Z");
    Stream stream(*context);
    Client client;
    exchange(client, stream);
    EXPECT_EQ(stream.state(), StreamState::open);
  }
}

TEST(ServerContext, TakesWhatOlderToolsWrite) {
  // `openssl ecparam -genkey` puts the curve before the key.
  const std::string curve =
      "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const PrivateKeyPtr ec_key = make_ec_key();
  const std::string ec_text = curve + traditional_pem_of(*ec_key);
  EXPECT_EQ(error_of(pem_of(*make_certificate(*ec_key)), ec_text), "");

  const PrivateKeyPtr rsa_key = make_rsa_key();
  const std::string bundle = "Certificate:\n  Data:\n" + pem_of(*make_certificate(*rsa_key)) +
                             traditional_pem_of(*rsa_key);
  EXPECT_EQ(error_of(bundle, bundle), "");
}

TEST(ServerContext, SendsTheWholeChain) {
  const PrivateKeyPtr root_key = make_ec_key();
  const X509Ptr root = make_certificate(*root_key, {.name = "root"});
  const PrivateKeyPtr middle_key = make_ec_key();
  const X509Ptr middle = make_certificate(
      *middle_key, {.name = "middle", .issuer = root.get(), .issuer_key = root_key.get()});
  const PrivateKeyPtr key = make_ec_key();
  const X509Ptr leaf =
      make_certificate(*key, {.issuer = middle.get(), .issuer_key = middle_key.get()});

  const auto whole = ServerContext::create(pem_of(*leaf) + pem_of(*middle), pem_of(*key), kNow);
  ASSERT_TRUE(whole) << whole.error();
  EXPECT_THAT(whole->warnings(), IsEmpty());
  Stream trusted(*whole);
  Client client({.trusted = root.get()});
  exchange(client, trusted);
  EXPECT_EQ(trusted.state(), StreamState::open) << client.failure();

  const auto alone = ServerContext::create(pem_of(*leaf), pem_of(*key), kNow);
  Stream mistrusted(*alone);
  Client other({.trusted = root.get()});
  exchange(other, mistrusted);
  EXPECT_EQ(other.failure(), "certificate verify failed");
  EXPECT_EQ(mistrusted.state(), StreamState::failed);

  const auto misordered = ServerContext::create(pem_of(*leaf) + pem_of(*root), pem_of(*key), kNow);
  ASSERT_TRUE(misordered);
  EXPECT_THAT(misordered->warnings(),
              ElementsAre("certificate 2 has not issued certificate 1; clients may not trust the "
                          "chain"));
}

TEST(ServerContext, WarnsOfCertificatesThatAreNotValidNow) {
  const PrivateKeyPtr key = make_ec_key();
  const auto warnings = [&](std::int64_t now) {
    return ServerContext::create(pem_of(*make_certificate(*key)), pem_of(*key), now)->warnings();
  };
  EXPECT_THAT(warnings(kNow + kDay - 1), IsEmpty());
  EXPECT_THAT(warnings(kNow + kDay + 1),
              ElementsAre("certificate 1 has expired at 2026-01-02T00:00:00Z"));
  EXPECT_THAT(warnings(kNow - kDay - 1),
              ElementsAre("certificate 1 is not valid before 2025-12-31T00:00:00Z"));
}

TEST(ServerContext, SaysWhatIsWrong) {
  const PrivateKeyPtr key = make_ec_key();
  const std::string certificate = pem_of(*make_certificate(*key));
  const std::string key_text = pem_of(*key);

  EXPECT_EQ(error_of(certificate, pem_of(*make_ec_key())),
            "the private key does not belong to the first certificate");
  EXPECT_EQ(error_of(certificate, pem_of(*make_rsa_key())),
            "the private key does not belong to the first certificate");
  EXPECT_THAT(error_of(certificate, pem_of(*key, "passphrase")), HasSubstr("is encrypted"));
  EXPECT_THAT(error_of(certificate, pem_of(*make_ed25519_key())),
              HasSubstr("neither an RSA nor an EC"));
  EXPECT_THAT(error_of(certificate, ""), HasSubstr("there is no private key"));
  EXPECT_THAT(error_of(certificate, certificate), HasSubstr("there is no private key"));
  EXPECT_THAT(error_of("", key_text), HasSubstr("there is no certificate"));
  EXPECT_THAT(error_of(key_text, key_text), HasSubstr("there is no certificate"));

  std::string damaged = certificate;
  damaged[damaged.size() / 2] = '*';
  EXPECT_THAT(error_of(damaged, key_text), HasSubstr("certificate 1 cannot be read"));
  EXPECT_THAT(error_of(certificate + damaged, key_text), HasSubstr("certificate 2 cannot be read"));
  EXPECT_THAT(error_of(certificate.substr(0, certificate.size() / 2), key_text),
              HasSubstr("certificate 1 cannot be read"));
}

TEST(ServerContext, TakesNoKeyThatIsTooWeak) {
  const PrivateKeyPtr key = make_rsa_key(1024);
  EXPECT_EQ(error_of(pem_of(*make_certificate(*key)), pem_of(*key)),
            "the certificate cannot be used (ee key too small)");
}

TEST(ServerContext, NeverTellsTheKey) {
  const PrivateKeyPtr key = make_ec_key();
  std::string damaged = pem_of(*key);
  damaged[damaged.size() / 2] = '*';
  const std::string error = error_of(pem_of(*make_certificate(*key)), damaged);
  EXPECT_THAT(error, HasSubstr("there is no private key"));
  EXPECT_EQ(error.find(damaged.substr(40, 10)), std::string::npos);
}

TEST(ServerContext, IsReplacedForNewStreamsWhileOldOnesGoOn) {
  const PrivateKeyPtr old_key = make_ec_key();
  auto context = ServerContext::create(pem_of(*make_certificate(*old_key, {.name = "old"})),
                                       pem_of(*old_key), kNow);
  Stream old_stream(*context);
  Client old_client;

  const PrivateKeyPtr new_key = make_ec_key();
  const X509Ptr new_certificate = make_certificate(*new_key, {.name = "new"});
  context = ServerContext::create(pem_of(*new_certificate), pem_of(*new_key), kNow);
  Stream new_stream(*context);
  Client new_client({.trusted = new_certificate.get()});

  exchange(old_client, old_stream);
  exchange(new_client, new_stream);
  EXPECT_EQ(old_stream.state(), StreamState::open);
  EXPECT_EQ(new_stream.state(), StreamState::open) << new_client.failure();
  old_client.write("still here");
  EXPECT_EQ(exchange(old_client, old_stream), "still here");
}

}  // namespace
}  // namespace runnel::tls
