// Tokens and JWT keys: what they may be, and that no message ever holds one.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kToken = "secret-of-camera";  // as short as may be
const std::string kOpenAddress = "listen: {signalling: \"0.0.0.0:7080\"}\n";

/// `entry` is the inside of one entry of auth.tokens.
std::string with_token(const std::string& entry) {
  return "auth: {tokens: [{" + entry + "}]}";
}

/// `rest` is what follows the name and the action.
std::string camera(const std::string& rest) {
  return with_token("name: camera, may: publish, " + rest);
}

/// `key` is the inside of one entry of auth.jwt.keys.
std::string with_jwt_key(const std::string& key) {
  return "auth: {jwt: {keys: [{" + key + "}]}}";
}

auth::Authenticator authenticator_of(const std::string& yaml, const Fake& fake = {}) {
  Loaded loaded = load(yaml, fake);
  return auth::Authenticator(std::move(loaded.config.auth.settings));
}

auth::WallTime at(std::int64_t seconds) {
  return auth::WallTime(std::chrono::seconds(seconds));
}

TEST(Auth, LeftOutMeansThatThisMachineMayDoEverything) {
  const Auth auth = std::move(load("").config.auth);
  EXPECT_FALSE(auth.is_configured);
  EXPECT_FALSE(auth.query);
  EXPECT_EQ(auth.settings.policy, auth::Policy::open);
  EXPECT_FALSE(load("auth:").config.auth.is_configured);
}

TEST(Auth, AnAddressThatOthersReachNeedsIt) {
  for (const char* address : {"0.0.0.0:7080", "[::]:7080", "192.168.1.2:80"}) {
    const std::string listen =
        "listen: {signalling: [\"127.0.0.1:1\", \"" + std::string(address) + "\"]}\n";
    EXPECT_THAT(
        errors_of(listen),
        ElementsAre(AllOf(HasSubstr("test.yaml:1: listen.signalling[1]: " + std::string(address) +
                                    " can be reached"),
                          HasSubstr("add auth with tokens"), HasSubstr("auth: {open: true}"))));
    EXPECT_THAT(errors_of(listen + camera("token: " + kToken)), IsEmpty());
    EXPECT_THAT(warnings_of(listen + camera("token: " + kToken)), IsEmpty());
  }
  EXPECT_THAT(errors_of("listen: {signalling: [\"127.0.0.1:1\", \"[::1]:1\"]}"), IsEmpty());
  EXPECT_THAT(errors_of("listen: {signalling: []}"), IsEmpty());
}

TEST(Auth, OpenIsWrittenOutAndWarnedOfWhereOthersReachUs) {
  const Loaded loaded = load(kOpenAddress + "auth: {open: true}");
  EXPECT_TRUE(loaded.config.auth.is_configured);
  EXPECT_EQ(loaded.config.auth.settings.policy, auth::Policy::open);
  EXPECT_THAT(lines(loaded.warnings),
              ElementsAre(HasSubstr("test.yaml:2: auth: everybody who reaches 0.0.0.0:7080 may")));
  EXPECT_THAT(warnings_of("auth: {open: true}"), IsEmpty());
}

TEST(Auth, AFaultyAuthIsBlamedAlone) {
  EXPECT_THAT(errors_of(kOpenAddress + camera("token: short")),
              ElementsAre(HasSubstr("auth.tokens[0].token: the token has 5 characters")));
}

TEST(Auth, ATokenStandsInTheFileInAnotherFileOrInTheEnvironment) {
  Fake fake;
  fake.files["camera.token"] = "\n " + kToken + "\r\n";
  fake.environment["CAMERA_TOKEN"] = kToken + "\n";
  for (const std::string& place : {"token: " + kToken, std::string("token_file: camera.token"),
                                   std::string("token: \"${CAMERA_TOKEN}\"")}) {
    const auto identity = authenticator_of(camera(place), fake).authenticate(at(0), kToken);
    ASSERT_TRUE(identity) << place;
    EXPECT_EQ(identity->name, "camera");
    EXPECT_TRUE(identity->permissions.allows(auth::Action::publish, "any"));
    EXPECT_FALSE(identity->permissions.allows(auth::Action::subscribe, "any"));
    EXPECT_FALSE(identity->permissions.may_take_over("any"));
    EXPECT_FALSE(identity->expiry);
  }
}

TEST(Auth, ATokenHasPermissionsAndAnEnd) {
  const auto identity =
      authenticator_of(with_token("name: c, token: " + kToken +
                                  ", may: [publish, watch], streams: [\"cam-*\", studio], "
                                  "take_over: true, expires: 2027-01-31"))
          .authenticate(at(1'801'353'599), kToken);
  ASSERT_TRUE(identity);
  EXPECT_TRUE(identity->permissions.allows(auth::Action::watch, "studio"));
  EXPECT_TRUE(identity->permissions.may_take_over("cam-1"));
  EXPECT_FALSE(identity->permissions.allows(auth::Action::publish, "radio"));
  EXPECT_EQ(identity->expiry, at(1'801'353'600));
}

TEST(Auth, SaysWhatToWriteInstead) {
  Fake fake;
  fake.files["empty.token"] = "\n";
  const std::string token = ", token: " + kToken;
  const std::pair<std::string, const char*> cases[] = {
      {"auth: {open: false}", "auth: nobody could come in; add tokens or jwt, or open: true"},
      {"auth: {query: true}", "auth: nobody could come in"},
      {"auth: {tokens: []}", "auth: nobody could come in"},
      {"auth: {open: maybe}", "auth.open: 'maybe' is neither true nor false"},
      {"auth: {open: true, tokens: {name: c, may: watch" + token + "}}",
       "auth.open: everybody may do everything, so that no token is ever looked at; remove 'open'"},
      {"auth: true", "auth: is a single value; write KEY: VALUE below it; known keys: open, tok"},
      {"auth: {open: true, token: x}",
       "unknown key 'token'; it belongs in an entry of auth.tokens"},
      {camera("token: secret-of-a-cam"), "the token has 15 characters, so that it can be guessed"},
      {camera("token: \"" + std::string(1025, 'x') + "\""),
       "the token has 1025 characters; use at"},
      {camera("token: \"secret of the camera\""), "characters that an Authorization header cannot"},
      {camera("token: \"<put your token here>\""), "the token is a placeholder; put your own"},
      {camera("token: \"${NOPE}\""), "the environment variable 'NOPE' is not set"},
      {camera("token_file: nope"), "token_file: cannot read 'nope': No such file or directory"},
      {camera("token_file: empty.token"), "token_file: the token has 0 characters"},
      {camera("token_file: " + kToken), "holds a token instead of a file's name; write it as 'tok"},
      {camera("take_over: true"), "auth.tokens[0]: no token is given; add 'token' or 'token_file'"},
      {camera("token_file: a" + token), "token_file: stands beside 'token'; keep one of the two"},
      {camera("take_over: perhaps" + token), "take_over: 'perhaps' is neither true nor false"},
      {camera("expires: tomorrow" + token), "expires: 'tomorrow' is neither a date nor a time; wr"},
      {camera("expires: 2027-02-29" + token), "expires: '2027-02-29' is neither a date nor a time"},
      {camera("streams: []" + token), "streams: is an empty list, which would allow no stream"},
      {camera("streams: [a, \"b/*\"]" + token), "streams[1]: 'b/*' is neither a stream's name nor"},
      {with_token("may: watch" + token), "auth.tokens[0]: 'name' is missing; add the name by whi"},
      {with_token("name: \"the camera\", may: watch" + token), "name: 'the camera' is no name"},
      {with_token("name: c" + token), "'may' is missing; add what it is for"},
      {with_token("name: c, may: []" + token), "may: is an empty list, which would allow nothing"},
      {with_token("name: c, may: [pub]" + token), "may[0]: 'pub' is not known here; did you mean"},
      {"auth: {tokens: [{name: c, may: watch" + token +
           "}, {name: c, may: watch, token: 0123456789"
           "abcdef}]}",
       "auth.tokens[1]: a second token named 'c'"},
      {"auth: {tokens: [{name: c, may: watch" + token + "}, {name: d, may: watch" + token + "}]}",
       "auth.tokens[1]: is the same token as that of 'c'; give each its own"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(
        errors_of(yaml, fake),
        ElementsAre(AllOf(HasSubstr("test.yaml:1: "), HasSubstr(expected), Not(HasSubstr(kToken)))))
        << yaml;
  }
}

TEST(Auth, ATokensLengthIsHeldAtBothEnds) {
  EXPECT_THAT(errors_of(camera("token: " + std::string(16, 'x'))), IsEmpty());
  EXPECT_THAT(errors_of(camera("token: " + std::string(15, 'x'))), SizeIs(1));
  EXPECT_THAT(errors_of(camera("token: " + std::string(1'024, 'x'))), IsEmpty());
  EXPECT_THAT(errors_of(camera("token: " + std::string(1'025, 'x'))), SizeIs(1));
}

TEST(Auth, AListOfTokensHasALimit) {
  const auto tokens = [](int count) {
    std::string yaml = "auth: {tokens: [";
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(10'000 + i);
      yaml += "{name: n" + number + ", token: a-long-token-" + number + ", may: watch}, ";
    }
    return yaml + "]}";
  };
  EXPECT_THAT(errors_of(tokens(1'000)), IsEmpty());
  EXPECT_THAT(errors_of(tokens(1'001)), ElementsAre(HasSubstr("has 1001 entries; give at most")));
}

TEST(Auth, AFileThatOthersMayReadIsAWarning) {
  Fake fake;
  fake.files = {{"camera.token", kToken}, {"issuer.pem", kEcPublicKey}};
  fake.files_are_open = true;
  EXPECT_THAT(warnings_of(camera("token_file: camera.token"), fake),
              ElementsAre(HasSubstr("token_file: other users of this machine may read")));
  EXPECT_THAT(warnings_of(with_jwt_key("algorithm: ES256, key_file: issuer.pem"), fake), IsEmpty());
}

TEST(Jwt, KeysComeFromFilesTheFileOrTheEnvironment) {
  Fake fake;
  fake.files = {{"issuer.pem", kEcPublicKey}, {"secret", std::string(32, 'f') + "\n"}};
  fake.environment["JWT_SECRET"] = std::string(32, 'e');
  const auth::JwtSettings jwt =
      std::move(load("auth:\n"
                     "  jwt:\n"
                     "    keys:\n"
                     "      - {kid: one, algorithm: ES256, key_file: issuer.pem}\n"
                     "      - {kid: two, algorithm: HS256, key_file: secret}\n"
                     "      - {kid: 3, algorithm: HS256, secret: \"${JWT_SECRET}\"}\n"
                     "      - {algorithm: HS256, secret: " +
                         std::string(32, 's') +
                         "}\n"
                         "      - {algorithm: HS256, secret: " +
                         std::string(32, 't') +
                         "}\n"
                         "    issuer: https://id.example\n"
                         "    audience: [runnel, media]\n",
                     fake)
                    .config.auth.settings.jwt);
  ASSERT_THAT(jwt.keys, SizeIs(5));
  EXPECT_EQ(jwt.keys[0].algorithm(), auth::JwtAlgorithm::es256);
  EXPECT_EQ(jwt.keys[1].material().size(), 32u);
  EXPECT_EQ(jwt.keys[2].id(), "3");
  EXPECT_EQ(jwt.keys[2].material()[0], 'e');
  EXPECT_EQ(jwt.keys[3].id(), "");
  EXPECT_EQ(jwt.issuer, "https://id.example");
  EXPECT_THAT(jwt.audience, ElementsAre("runnel", "media"));
}

TEST(Jwt, SaysWhatToWriteInstead) {
  const std::string secret(32, 's');
  Fake fake;
  fake.files = {{"ec.pem", kEcPublicKey},
                {"private.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"},
                {"certificate.pem", "-----BEGIN CERTIFICATE-----\n"},
                {"long", std::string(4097, 'x')}};
  const std::string hs256 = "{kid: a, algorithm: HS256, secret: " + secret + "}";
  const std::pair<std::string, const char*> cases[] = {
      {"auth: {jwt: {}}", "auth.jwt: 'keys' is missing; add the keys that tokens are signed with"},
      {"auth: {jwt: {keys: []}}", "auth.jwt.keys: has 0 keys; give 1 to 16"},
      {"auth: {jwt: {keys: " + hs256 + ", issuer: }}", "auth.jwt.issuer: has no value"},
      {"auth: {jwt: {keys: [" + hs256 + ", " + hs256 + "]}}", "a second key with the kid 'a'"},
      {with_jwt_key("secret: " + secret), "'algorithm' is missing; add HS256, RS256 or ES256"},
      {with_jwt_key("algorithm: none, secret: " + secret), "'none' is not known here"},
      {with_jwt_key("algorithm: HS512, secret: " + secret),
       "'HS512' is not known here; use HS256, RS256 or ES256"},
      {with_jwt_key("algorithm: HS256"), "no secret is given; add 'secret' or 'key_file'; the sec"},
      {with_jwt_key("algorithm: ES256"), "ES256 needs a public key on the curve P-256"},
      {with_jwt_key("algorithm: HS256, secret: " + secret.substr(1)),
       "the secret has fewer than 32 bytes; a new one is made by: openssl rand -hex 32"},
      {with_jwt_key("algorithm: HS256, secret: \"<your secret, which is a long one>\""),
       "the secret is a placeholder"},
      {with_jwt_key("algorithm: HS256, key_file: ec.pem"),
       "HS256 needs a secret, and this is a key"},
      {with_jwt_key("algorithm: HS256, key_file: long"),
       "the key is longer than 4096 bytes; is th"},
      {with_jwt_key("algorithm: ES256, secret: " + secret),
       "ES256 has no secret; name the file with"},
      {with_jwt_key("algorithm: RS256, key_file: ec.pem"),
       "another kind; RS256 needs an RSA public"},
      {with_jwt_key("algorithm: ES256, key_file: private.pem"), "openssl pkey -in FILE -pubout"},
      {with_jwt_key("algorithm: ES256, key_file: certificate.pem"),
       "openssl x509 -in FILE -pubkey"},
      {with_jwt_key("algorithm: ES256, key_file: nope.pem"), "key_file: cannot read 'nope.pem'"},
      {with_jwt_key("algorithm: HS256, secret: " + secret + ", kid: " + std::string(129, 'k')),
       "kid: has 129 characters; use at most 128"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(errors_of(yaml, fake),
                ElementsAre(AllOf(HasSubstr("test.yaml:1: auth.jwt"), HasSubstr(expected),
                                  Not(HasSubstr(secret.substr(1))))))
        << yaml;
  }
}

TEST(Jwt, AListOfKeysHasALimit) {
  const auto keys = [](int count) {
    std::string yaml = "auth: {jwt: {keys: [";
    for (int i = 0; i < count; ++i) yaml += "{algorithm: HS256, secret: " + kKey30 + "}, ";
    return yaml + "]}}";
  };
  EXPECT_THAT(errors_of(keys(16)), IsEmpty());
  EXPECT_THAT(errors_of(keys(17)), ElementsAre(HasSubstr("has 17 keys; give 1 to 16")));
}

}  // namespace
}  // namespace runnel::config
