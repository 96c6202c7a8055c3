// Who gets in with which token, and what those are told who do not.
#include "core/auth/authenticator.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/auth/jwt_keys.h"
#include "tests/unit/core/auth/jwts.h"

namespace runnel::auth {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kNow = 1'800'000'000;
const std::string kToken = "a-static-token-of-the-camera";

WallTime at(std::int64_t seconds) {
  return WallTime(std::chrono::seconds(seconds));
}

StaticToken static_token(std::string name, std::string_view token,
                         std::optional<WallTime> expiry = std::nullopt) {
  return {std::move(name), TokenDigest(token),
          Permissions{{{ActionSet(Action::publish), {"cam-*"}}}, false}, expiry};
}

/// An authenticator that accepts JWTs of `keys` alone.
template <typename... Keys>
Authenticator with_keys(Keys... keys) {
  Settings settings;
  settings.policy = Policy::tokens;
  (settings.jwt.keys.push_back(std::move(keys)), ...);
  return Authenticator(std::move(settings));
}

Authenticator with_tokens() {
  Settings settings;
  settings.policy = Policy::tokens;
  settings.tokens.push_back(static_token("camera", kToken));
  settings.tokens.push_back(static_token("old camera", "a-token-that-ends", at(kNow)));
  return Authenticator(std::move(settings));
}

std::string claims(const std::string& more = "") {
  return R"({"sub":"alice","runnel":{"subscribe":"*"})" + more + "}";
}

std::string hs256(const std::string& text, const std::string& key_id = "") {
  return sign(JWT_ALG_HS256, kHmacSecret, text, key_id);
}

/// nullopt: accepted.
std::optional<AuthError> error_of(const Authenticator& authenticator, std::string_view token,
                                  std::int64_t now = kNow) {
  const auto identity = authenticator.authenticate(at(now), token);
  return identity ? std::nullopt : std::optional(identity.error());
}

TEST(Authenticator, OpenMeansThatEverybodyMayDoEverything) {
  const Authenticator open{Settings{}};
  EXPECT_FALSE(open.needs_token());
  for (const char* token : {"", "whatever"}) {
    const auto identity = open.authenticate(at(kNow), token);
    ASSERT_TRUE(identity);
    EXPECT_EQ(identity->name, "anyone");
    EXPECT_EQ(identity->key, 0u);
    EXPECT_TRUE(identity->permissions.allows(Action::admin, "any"));
    EXPECT_FALSE(identity->is_expired(WallTime::max()));
  }
}

TEST(Authenticator, AStaticTokenBringsItsNameAndPermissions) {
  const Authenticator authenticator = with_tokens();
  EXPECT_TRUE(authenticator.needs_token());
  const auto identity = authenticator.authenticate(at(kNow), kToken);
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->name, "camera");
  EXPECT_TRUE(identity->permissions.allows(Action::publish, "cam-1"));
  EXPECT_FALSE(identity->permissions.allows(Action::subscribe, "cam-1"));
  EXPECT_NE(identity->key, 0u);
}

TEST(Authenticator, NothingButTheWholeStaticTokenWillDo) {
  const Authenticator authenticator = with_tokens();
  EXPECT_EQ(error_of(authenticator, ""), AuthError::missing);
  for (const std::string& other :
       {kToken.substr(1), kToken.substr(0, kToken.size() - 1), kToken + "x", kToken + " ",
        "A" + kToken.substr(1), std::string("camera"), std::string("a.b.c")}) {
    EXPECT_EQ(error_of(authenticator, other), AuthError::unknown) << other;
  }
}

TEST(Authenticator, AStaticTokenExpiresOnTheSecond) {
  const Authenticator authenticator = with_tokens();
  const auto before = authenticator.authenticate(at(kNow - 1), "a-token-that-ends");
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->is_expired(at(kNow - 1)));
  EXPECT_TRUE(before->is_expired(at(kNow)));
  EXPECT_EQ(error_of(authenticator, "a-token-that-ends"), AuthError::expired);
}

TEST(Authenticator, AJwtBringsItsSubjectAndPermissions) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  const auto identity =
      authenticator.authenticate(at(kNow), hs256(claims(",\"exp\":" + std::to_string(kNow))));
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->name, "alice");
  EXPECT_TRUE(identity->permissions.allows(Action::subscribe, "cam-1"));
  EXPECT_FALSE(identity->permissions.allows(Action::publish, "cam-1"));
  EXPECT_EQ(identity->expiry, at(kNow + 60));
}

TEST(Authenticator, ANameIsFitForALogLine) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  const auto name_of = [&](const std::string& subject) {
    return authenticator
        .authenticate(at(kNow), hs256(R"({"sub":")" + subject + R"(","runnel":{"watch":true}})"))
        .value()
        .name;
  };
  EXPECT_EQ(name_of("a\\nb \xc3\xa9"), "a?b???");
  EXPECT_EQ(name_of(std::string(64, 'a')), std::string(64, 'a'));
  EXPECT_EQ(name_of(std::string(65, 'a')), std::string(64, 'a'));
}

TEST(Authenticator, EachAlgorithmIsVerifiedWithItsKey) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret),
                                                key_of(JwtAlgorithm::rs256, kRsaPublicKey),
                                                key_of(JwtAlgorithm::es256, kEcPublicKey));
  EXPECT_EQ(error_of(authenticator, hs256(claims())), std::nullopt);
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_RS256, kRsaPrivateKey, claims())), std::nullopt);
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_ES256, kEcPrivateKey, claims())), std::nullopt);
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_HS512, kHmacSecret, claims())),
            AuthError::wrong_algorithm);
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_HS256, std::string(32, 'x'), claims())),
            AuthError::wrong_signature);
}

TEST(Authenticator, APublicKeyIsNoSecret) {
  // The attack on verifiers that let the token choose the algorithm (RFC 8725 §2.1).
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::rs256, kRsaPublicKey, "k1"));
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_HS256, kRsaPublicKey, claims(), "k1")),
            AuthError::wrong_algorithm);
  EXPECT_EQ(error_of(authenticator, sign(JWT_ALG_HS256, kRsaPublicKey, claims())),
            AuthError::wrong_algorithm);
  // Two members "alg", of which two parsers may each believe another one.
  for (const char* header : {R"({"alg":"HS256","alg":"RS256","kid":"k1"})",
                             R"({"alg":"RS256","alg":"HS256","kid":"k1"})"}) {
    EXPECT_NE(error_of(authenticator, unsigned_jwt(header, claims())), std::nullopt) << header;
  }
}

TEST(Authenticator, NoneIsNoAlgorithm) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  for (const char* name : {"none", "None", "NONE", "", "hs256"}) {
    const std::string header = R"({"alg":")" + std::string(name) + "\"}";
    for (const char* signature : {"", "AAAA"}) {
      EXPECT_EQ(error_of(authenticator, unsigned_jwt(header, claims(), signature)),
                AuthError::wrong_algorithm)
          << header;
    }
  }
}

TEST(Authenticator, KidNamesTheKey) {
  const Authenticator authenticator =
      with_keys(key_of(JwtAlgorithm::hs256, std::string(32, 'o'), "old"),
                key_of(JwtAlgorithm::hs256, kHmacSecret, "new"));
  EXPECT_EQ(error_of(authenticator, hs256(claims(), "new")), std::nullopt);
  EXPECT_EQ(error_of(authenticator, hs256(claims(), "old")), AuthError::wrong_signature);
  EXPECT_EQ(error_of(authenticator, hs256(claims(), "other")), AuthError::unknown_key);
  EXPECT_EQ(error_of(authenticator, hs256(claims())), std::nullopt);  // each is tried
}

TEST(Authenticator, AKeyWithoutIdIsForTokensThatNameNoOther) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret),
                                                key_of(JwtAlgorithm::es256, kEcPublicKey, "ec"));
  EXPECT_EQ(error_of(authenticator, hs256(claims(), "unheard-of")), std::nullopt);
  EXPECT_EQ(error_of(authenticator, hs256(claims(), "ec")), AuthError::wrong_algorithm);
}

TEST(Authenticator, ExpiryAndBeginningHaveALeewayOfAMinute) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  const std::string ends = hs256(claims(",\"exp\":" + std::to_string(kNow)));
  EXPECT_EQ(error_of(authenticator, ends, kNow + 59), std::nullopt);
  EXPECT_EQ(error_of(authenticator, ends, kNow + 60), AuthError::expired);
  const std::string begins = hs256(claims(",\"nbf\":" + std::to_string(kNow)));
  EXPECT_EQ(error_of(authenticator, begins, kNow - 60), std::nullopt);
  EXPECT_EQ(error_of(authenticator, begins, kNow - 61), AuthError::not_yet_valid);
  for (const char* far : {",\"exp\":1e300", ",\"nbf\":-1e300"}) {
    EXPECT_EQ(error_of(authenticator, hs256(claims(far))), std::nullopt) << far;
  }
  EXPECT_EQ(error_of(authenticator, hs256(claims(",\"exp\":-1e300"))), AuthError::expired);
}

TEST(Authenticator, IssuerAndAudienceAreLookedAtWhenConfigured) {
  Settings settings;
  settings.policy = Policy::tokens;
  settings.jwt.keys.push_back(key_of(JwtAlgorithm::hs256, kHmacSecret));
  settings.jwt.issuer = "https://id.example";
  settings.jwt.audience = {"runnel", "media"};
  const Authenticator authenticator(std::move(settings));
  const std::string issuer = R"(,"iss":"https://id.example")";
  EXPECT_EQ(error_of(authenticator, hs256(claims(issuer + R"(,"aud":"media")"))), std::nullopt);
  EXPECT_EQ(error_of(authenticator, hs256(claims(issuer + R"(,"aud":["x","runnel"])"))),
            std::nullopt);
  EXPECT_EQ(error_of(authenticator, hs256(claims(issuer + R"(,"aud":"other")"))),
            AuthError::wrong_audience);
  EXPECT_EQ(error_of(authenticator, hs256(claims(issuer))), AuthError::wrong_audience);
  EXPECT_EQ(error_of(authenticator, hs256(claims(R"(,"iss":"x","aud":"media")"))),
            AuthError::wrong_issuer);
  EXPECT_EQ(error_of(authenticator, hs256(claims(R"(,"aud":"media")"))), AuthError::wrong_issuer);
}

TEST(Authenticator, AJwtThatClaimsNothingOfUsGetsNowhere) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  for (const char* text :
       {R"({"sub":"alice"})", R"({"runnel":{}})", R"({"runnel":{"take_over":true}})",
        R"({"runnel":{"publish":[],"admin":false}})"}) {
    EXPECT_EQ(error_of(authenticator, hs256(text)), AuthError::without_permissions) << text;
  }
}

TEST(Authenticator, ATokensLengthHasALimit) {
  const Authenticator jwts = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  EXPECT_EQ(error_of(jwts, std::string(8192, 'a')), AuthError::unknown);
  EXPECT_EQ(error_of(jwts, std::string(8193, 'a')), AuthError::malformed);
  EXPECT_EQ(error_of(jwts, hs256(claims(",\"x\":\"" + std::string(5800, 'x') + "\""))),
            std::nullopt);
}

TEST(Authenticator, StaticTokensAndJwtsStandBesideEachOther) {
  Settings settings;
  settings.policy = Policy::tokens;
  settings.tokens.push_back(static_token("dotted", "a.static.token-with-dots"));
  settings.jwt.keys.push_back(key_of(JwtAlgorithm::hs256, kHmacSecret));
  const Authenticator authenticator(std::move(settings));
  EXPECT_EQ(error_of(authenticator, "a.static.token-with-dots"), std::nullopt);
  EXPECT_EQ(error_of(authenticator, hs256(claims())), std::nullopt);
  EXPECT_EQ(error_of(authenticator, "another.static.token"), AuthError::malformed);
  EXPECT_EQ(error_of(authenticator, "another-static-token"), AuthError::unknown);
}

TEST(Authenticator, LimitsCountOneSubjectOnce) {
  const Authenticator authenticator = with_keys(key_of(JwtAlgorithm::hs256, kHmacSecret));
  const auto key_of_claims = [&](const std::string& text) {
    return authenticator.authenticate(at(kNow), hs256(text)).value().key;
  };
  const std::uint64_t alice = key_of_claims(claims());
  EXPECT_EQ(alice, key_of_claims(claims(R"(,"jti":"another one")")));
  EXPECT_NE(alice, key_of_claims(claims(R"(,"iss":"elsewhere")")));
  const std::string nameless = R"({"runnel":{"watch":true})";
  EXPECT_NE(key_of_claims(nameless + "}"), key_of_claims(nameless + ",\"x\":1}"));
  const Authenticator tokens = with_tokens();
  EXPECT_EQ(tokens.authenticate(at(0), kToken)->key, tokens.authenticate(at(1), kToken)->key);
  EXPECT_NE(tokens.authenticate(at(0), kToken)->key,
            tokens.authenticate(at(0), "a-token-that-ends")->key);
}

TEST(AuthError, TellsClientsLittleAndLogsEnough) {
  for (std::size_t i = 0; i < kAuthErrorCount; ++i) {
    const auto error = static_cast<AuthError>(i);
    EXPECT_NE(to_string(error), "none");
    const bool may_be_told = error == AuthError::missing || error == AuthError::expired;
    EXPECT_EQ(client_text(error) == "the token is not accepted", !may_be_told) << to_string(error);
  }
  EXPECT_EQ(client_text(AuthError::expired), "the token has expired");
}

}  // namespace
}  // namespace runnel::auth
