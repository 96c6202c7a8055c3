// What a JWT says, before anybody believes it.
#include "core/auth/jwt.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/auth/authenticator.h"
#include "tests/unit/core/auth/jwts.h"

namespace runnel::auth {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kHeader = R"({"alg":"HS256","typ":"JWT"})";

std::expected<Jwt, AuthError> parse(const std::string& header, const std::string& claims) {
  return Jwt::parse(unsigned_jwt(header, claims));
}

WallTime at(std::int64_t seconds) {
  return WallTime(std::chrono::seconds(seconds));
}

/// `inner` inside of lists, with as many brackets as `depth` says.
std::string nested(int depth) {
  const auto count = static_cast<std::size_t>(depth);
  return std::string(count, '[') + std::string(count, ']');
}

TEST(Jwt, ReadsHeaderAndClaims) {
  const auto jwt = parse(R"({"alg":"ES256","typ":"jwt","kid":"k1"})",
                         R"({"iss":"https://id.example","sub":"alice","aud":"runnel","exp":10,)"
                         R"("nbf":5.9,"runnel":{"publish":["cam-*","studio"],"subscribe":"*",)"
                         R"("watch":true,"admin":false,"take_over":true,"later":1},"other":[]})");
  ASSERT_TRUE(jwt);
  EXPECT_EQ(jwt->algorithm, JwtAlgorithm::es256);
  EXPECT_EQ(jwt->key_id, "k1");
  EXPECT_EQ(jwt->issuer, "https://id.example");
  EXPECT_EQ(jwt->subject, "alice");
  EXPECT_THAT(jwt->audience, ElementsAre("runnel"));
  EXPECT_EQ(jwt->expires, at(10));
  EXPECT_EQ(jwt->not_before, at(5));
  EXPECT_THAT(jwt->permissions.grants, SizeIs(3));
  EXPECT_TRUE(jwt->permissions.allows(Action::publish, "cam-1"));
  EXPECT_FALSE(jwt->permissions.allows(Action::publish, "radio"));
  EXPECT_TRUE(jwt->permissions.allows(Action::subscribe, "radio"));
  EXPECT_TRUE(jwt->permissions.allows(Action::watch, "radio"));
  EXPECT_FALSE(jwt->permissions.allows(Action::admin, "radio"));
  EXPECT_TRUE(jwt->permissions.take_over);
}

TEST(Jwt, NearlyEverythingMayBeLeftOut) {
  const auto jwt = parse(R"({"alg":"PS512"})", "{}");
  ASSERT_TRUE(jwt);
  EXPECT_EQ(jwt->algorithm, std::nullopt);
  EXPECT_EQ(jwt->expires, std::nullopt);
  EXPECT_THAT(jwt->audience, IsEmpty());
  EXPECT_THAT(jwt->permissions.grants, IsEmpty());
}

TEST(Jwt, TimesBeyondAllCalendarsStayInBounds) {
  const auto jwt = parse(kHeader, R"({"exp":1e300,"nbf":-1e300})");
  ASSERT_TRUE(jwt);
  EXPECT_GT(*jwt->expires, at(1'000'000'000'000'000));
  EXPECT_LT(*jwt->not_before, at(-1'000'000'000'000'000));
  EXPECT_EQ(parse(kHeader, R"({"exp":18446744073709551615})")->expires, *jwt->expires);
}

TEST(Jwt, RefusesWhatDoesNotHoldTogether) {
  const std::pair<std::string, std::string> cases[] = {
      {"{}", "{}"},
      {R"({"alg":5})", "{}"},
      {R"({"alg":"HS256","kid":5})", "{}"},
      {R"({"alg":"HS256","kid":")" + std::string(129, 'k') + "\"}", "{}"},
      {R"({"alg":"HS256","typ":"JOSE"})", "{}"},
      {R"({"alg":"HS256","crit":["b64"],"b64":false})", "{}"},
      {"[]", "{}"},
      {"", "{}"},
      {"{\"alg\":\"HS256\"", "{}"},
      {kHeader, "[]"},
      {kHeader, "null"},
      {kHeader, ""},
      {kHeader, "{} x"},
      {kHeader, "{\"sub\":\"\xff\"}"},
      {kHeader, R"({"sub":5})"},
      {kHeader, R"({"iss":null})"},
      {kHeader, R"({"aud":5})"},
      {kHeader, R"({"aud":["a",5]})"},
      {kHeader, R"({"exp":"10"})"},
      {kHeader, R"({"nbf":true})"},
      {kHeader, R"({"exp":1e999})"},
      {kHeader, R"({"runnel":true})"},
      {kHeader, R"({"runnel":{"publish":5}})"},
      {kHeader, R"({"runnel":{"publish":["cam-*",5]}})"},
      {kHeader, R"({"runnel":{"publish":["cam/*"]}})"},
      {kHeader, R"({"runnel":{"publish":""}})"},
      {kHeader, R"({"runnel":{"admin":null}})"},
      {kHeader, R"({"runnel":{"take_over":"yes"}})"},
  };
  for (const auto& [header, claims] : cases) {
    const auto jwt = parse(header, claims);
    ASSERT_FALSE(jwt) << header << " " << claims;
    EXPECT_EQ(jwt.error(), AuthError::malformed);
  }
}

TEST(Jwt, RefusesOtherShapes) {
  const std::string good = unsigned_jwt(kHeader, "{}", "AAAA");
  ASSERT_TRUE(Jwt::parse(good));
  const std::string dot_in_header = "." + good.substr(good.find('.') + 1);
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".."), std::string("..."), good + ".x",
        good + "=", good + "A", good.substr(0, good.rfind('.')), good + " ", dot_in_header,
        good + std::string(1, '\0'), good.substr(0, good.size() - 4) + "+/AA"}) {
    EXPECT_FALSE(Jwt::parse(bad)) << bad;
  }
}

TEST(Jwt, NestingHasALimit) {
  // The object of the claims is the first level.
  EXPECT_TRUE(parse(kHeader, "{\"x\":" + nested(kDeepestClaims - 1) + "}"));
  EXPECT_FALSE(parse(kHeader, "{\"x\":" + nested(kDeepestClaims) + "}"));
  EXPECT_FALSE(parse(R"({"alg":"HS256","x":)" + nested(kDeepestClaims) + "}", "{}"));
  EXPECT_FALSE(parse(kHeader, "{\"x\":" + nested(2'500) + "}"));
  EXPECT_FALSE(parse(kHeader, "{\"x\":" + std::string(5'000, '[')));
}

}  // namespace
}  // namespace runnel::auth
