// The examples of RFC 7515 Appendix A.
#include "core/auth/jwt_signature.h"

#include <gtest/gtest.h>

#include "tests/unit/core/auth/jwt_keys.h"
#include "tests/unit/core/auth/jwts.h"

namespace runnel::auth {
namespace {

using namespace test;

const std::string kPayload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlf"
    "Q";
const std::string kA1 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + kPayload +
                        ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const std::string kA2 =
    "eyJhbGciOiJSUzI1NiJ9." + kPayload +
    ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2F"
    "p5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMH"
    "lb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9"
    "QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
const std::string kA3 =
    "eyJhbGciOiJFUzI1NiJ9." + kPayload +
    ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

std::string with_a_changed_claim(std::string token) {
  token[token.find(kPayload) + 12] ^= 1;
  return token;
}

TEST(JwtSignature, Rfc7515A1Hs256) {
  EXPECT_TRUE(is_signed_by(kA1, key_of(JwtAlgorithm::hs256, kHmacSecret)));
  EXPECT_FALSE(is_signed_by(kA1, key_of(JwtAlgorithm::hs256, std::string(64, 's'))));
  EXPECT_FALSE(is_signed_by(with_a_changed_claim(kA1), key_of(JwtAlgorithm::hs256, kHmacSecret)));
}

TEST(JwtSignature, Rfc7515A2Rs256) {
  EXPECT_TRUE(is_signed_by(kA2, key_of(JwtAlgorithm::rs256, kRsaPublicKey)));
  EXPECT_FALSE(is_signed_by(with_a_changed_claim(kA2), key_of(JwtAlgorithm::rs256, kRsaPublicKey)));
}

TEST(JwtSignature, Rfc7515A3Es256) {
  EXPECT_TRUE(is_signed_by(kA3, key_of(JwtAlgorithm::es256, kEcPublicKey)));
  EXPECT_FALSE(is_signed_by(kA3, key_of(JwtAlgorithm::es256, kOtherEcPublicKey)));
  EXPECT_FALSE(is_signed_by(with_a_changed_claim(kA3), key_of(JwtAlgorithm::es256, kEcPublicKey)));
}

TEST(JwtSignature, AKeyIsForItsOwnAlgorithmAlone) {
  EXPECT_FALSE(is_signed_by(kA3, key_of(JwtAlgorithm::rs256, kRsaPublicKey)));
  EXPECT_FALSE(is_signed_by(kA2, key_of(JwtAlgorithm::es256, kEcPublicKey)));
  EXPECT_FALSE(is_signed_by(kA1, key_of(JwtAlgorithm::rs256, kRsaPublicKey)));
  // Whoever has the public key can sign with it as if it were a secret.
  const std::string confused = sign(JWT_ALG_HS256, kRsaPublicKey, R"({"sub":"mallory"})");
  EXPECT_FALSE(is_signed_by(confused, key_of(JwtAlgorithm::rs256, kRsaPublicKey)));
}

TEST(JwtSignature, NoSignatureIsNone) {
  const std::string claims = R"({"sub":"mallory"})";
  const JwtKey key = key_of(JwtAlgorithm::hs256, kHmacSecret);
  for (const char* header : {R"({"alg":"none"})", R"({"alg":"HS256"})", R"({"alg":"None"})"}) {
    EXPECT_FALSE(is_signed_by(unsigned_jwt(header, claims, ""), key)) << header;
    EXPECT_FALSE(is_signed_by(unsigned_jwt(header, claims), key)) << header;
  }
}

}  // namespace
}  // namespace runnel::auth
