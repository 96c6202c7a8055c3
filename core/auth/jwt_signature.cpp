#include "core/auth/jwt_signature.h"

#include <jwt.h>
#include <memory>

namespace runnel::auth {
namespace {

struct Free {
  void operator()(jwt_t* jwt) const noexcept { jwt_free(jwt); }
};

jwt_alg_t library_name(JwtAlgorithm algorithm) noexcept {
  switch (algorithm) {
    case JwtAlgorithm::hs256:
      return JWT_ALG_HS256;
    case JwtAlgorithm::rs256:
      return JWT_ALG_RS256;
    case JwtAlgorithm::es256:
      return JWT_ALG_ES256;
  }
  return JWT_ALG_INVAL;
}

}  // namespace

bool is_signed_by(const std::string& token, const JwtKey& key) {
  jwt_t* decoded = nullptr;
  const int error = jwt_decode(&decoded, token.c_str(), key.material().data(),
                               static_cast<int>(key.material().size()));
  const std::unique_ptr<jwt_t, Free> jwt(error == 0 ? decoded : nullptr);
  // The library verifies with the algorithm that the token names. If it has read another name than
  // we have (of two members "alg", say), the key was used for what it is not meant for.
  return jwt && jwt_get_alg(jwt.get()) == library_name(key.algorithm());
}

}  // namespace runnel::auth
