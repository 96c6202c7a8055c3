#include "core/auth/auth_error.h"

namespace runnel::auth {

std::string_view to_string(AuthError error) noexcept {
  switch (error) {
    case AuthError::missing:
      return "missing";
    case AuthError::unknown:
      return "unknown";
    case AuthError::malformed:
      return "malformed";
    case AuthError::unknown_key:
      return "unknown_key";
    case AuthError::wrong_algorithm:
      return "wrong_algorithm";
    case AuthError::wrong_signature:
      return "wrong_signature";
    case AuthError::wrong_issuer:
      return "wrong_issuer";
    case AuthError::wrong_audience:
      return "wrong_audience";
    case AuthError::expired:
      return "expired";
    case AuthError::not_yet_valid:
      return "not_yet_valid";
    case AuthError::without_permissions:
      return "without_permissions";
    case AuthError::count_:
      break;
  }
  return "none";
}

std::string_view client_text(AuthError error) noexcept {
  switch (error) {
    case AuthError::missing:
      return "a token is needed";
    case AuthError::expired:
      return "the token has expired";
    default:
      return "the token is not accepted";
  }
}

}  // namespace runnel::auth
