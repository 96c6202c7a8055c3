// A key of the wrong kind is refused when it is configured, not when the first token comes.
#include "core/auth/jwt_key.h"

#include <gtest/gtest.h>

#include "tests/unit/core/auth/jwt_keys.h"
#include "tests/unit/core/auth/jwts.h"

namespace runnel::auth {
namespace {

using namespace test;

std::optional<JwtKeyError> error_of(JwtAlgorithm algorithm, std::string_view material) {
  const auto key = JwtKey::create(algorithm, "", bytes_of(material));
  return key ? std::nullopt : std::optional(key.error());
}

TEST(JwtKey, EachAlgorithmTakesItsKindOfKey) {
  struct Case {
    JwtAlgorithm algorithm;
    std::string material;
    std::optional<JwtKeyError> error;
  };
  const Case cases[] = {
      {JwtAlgorithm::hs256, std::string(32, 's'), std::nullopt},
      {JwtAlgorithm::hs256, std::string(31, 's'), JwtKeyError::too_short},
      {JwtAlgorithm::hs256, std::string(4096, 's'), std::nullopt},
      {JwtAlgorithm::hs256, std::string(4097, 's'), JwtKeyError::too_long},
      {JwtAlgorithm::hs256, kRsaPublicKey, JwtKeyError::public_key},
      {JwtAlgorithm::rs256, kRsaPublicKey, std::nullopt},
      {JwtAlgorithm::rs256, kShortRsaPublicKey, JwtKeyError::too_few_bits},
      {JwtAlgorithm::rs256, kEcPublicKey, JwtKeyError::wrong_kind},
      {JwtAlgorithm::rs256, kRsaPrivateKey, JwtKeyError::private_key},
      {JwtAlgorithm::es256, kEcPublicKey, std::nullopt},
      {JwtAlgorithm::es256, kP384PublicKey, JwtKeyError::wrong_kind},
      {JwtAlgorithm::es256, kRsaPublicKey, JwtKeyError::wrong_kind},
      {JwtAlgorithm::es256, kEcPrivateKey, JwtKeyError::private_key},
      {JwtAlgorithm::es256, std::string(40, 's'), JwtKeyError::not_a_key},
      {JwtAlgorithm::es256, kEcPublicKey.substr(0, 100), JwtKeyError::not_a_key},
      {JwtAlgorithm::es256, "", JwtKeyError::not_a_key},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(error_of(c.algorithm, c.material), c.error)
        << to_string(c.algorithm) << " " << c.material.substr(0, 40);
  }
}

TEST(JwtKey, KnowsAlgorithmsByTheirExactNames) {
  for (const JwtAlgorithm algorithm : kJwtAlgorithms) {
    EXPECT_EQ(jwt_algorithm_from_name(to_string(algorithm)), algorithm);
  }
  for (const char* other : {"none", "hs256", "HS512", "PS256", "", "RS256 "}) {
    EXPECT_FALSE(jwt_algorithm_from_name(other)) << other;
  }
}

}  // namespace
}  // namespace runnel::auth
