#include "core/auth/jwt_key.h"

#include <utility>

#include "core/crypto/public_key.h"

namespace runnel::auth {
namespace {

using Family = crypto::PublicKeyKind::Family;

bool holds(ByteView material, std::string_view mark) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(material.data()), material.size());
  return text.find(mark) != std::string_view::npos;
}

std::optional<JwtKeyError> look_at_secret(ByteView secret) noexcept {
  // Who takes a public key for a secret lets everybody sign.
  if (holds(secret, "-----BEGIN ")) return JwtKeyError::public_key;
  if (secret.size() < kShortestHmacSecret) return JwtKeyError::too_short;
  return std::nullopt;
}

std::optional<JwtKeyError> look_at_public_key(JwtAlgorithm algorithm, ByteView pem) noexcept {
  if (holds(pem, "PRIVATE KEY-----")) return JwtKeyError::private_key;
  const auto kind = crypto::inspect_public_key(pem);
  if (!kind) return JwtKeyError::not_a_key;
  const Family wanted = algorithm == JwtAlgorithm::rs256 ? Family::rsa : Family::ec_p256;
  if (kind->family != wanted) return JwtKeyError::wrong_kind;
  if (wanted == Family::rsa && kind->bits < kSmallestRsaKey) return JwtKeyError::too_few_bits;
  return std::nullopt;
}

}  // namespace

std::string_view to_string(JwtAlgorithm algorithm) noexcept {
  switch (algorithm) {
    case JwtAlgorithm::hs256:
      return "HS256";
    case JwtAlgorithm::rs256:
      return "RS256";
    case JwtAlgorithm::es256:
      return "ES256";
  }
  return "unknown";
}

std::optional<JwtAlgorithm> jwt_algorithm_from_name(std::string_view name) noexcept {
  for (const JwtAlgorithm algorithm : kJwtAlgorithms) {
    if (to_string(algorithm) == name) return algorithm;
  }
  return std::nullopt;
}

std::string_view to_string(JwtKeyError error) noexcept {
  switch (error) {
    case JwtKeyError::too_short:
      return "too short";
    case JwtKeyError::too_long:
      return "too long";
    case JwtKeyError::public_key:
      return "public key in place of a secret";
    case JwtKeyError::private_key:
      return "private key in place of a public one";
    case JwtKeyError::not_a_key:
      return "no public key in PEM";
    case JwtKeyError::wrong_kind:
      return "wrong kind of key";
    case JwtKeyError::too_few_bits:
      return "too few bits";
  }
  return "unknown";
}

std::expected<JwtKey, JwtKeyError> JwtKey::create(JwtAlgorithm algorithm, std::string id,
                                                  ByteView material) {
  if (material.size() > kLongestJwtKey) return std::unexpected(JwtKeyError::too_long);
  const auto error = algorithm == JwtAlgorithm::hs256 ? look_at_secret(material)
                                                      : look_at_public_key(algorithm, material);
  if (error) return std::unexpected(*error);
  return JwtKey(algorithm, std::move(id), material);
}

}  // namespace runnel::auth
