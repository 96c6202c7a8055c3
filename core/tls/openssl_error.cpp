// Takes errors from OpenSSL's queue.
#include "core/tls/openssl_error.h"

#include <openssl/err.h>

namespace runnel::tls {

std::string take_openssl_error() {
  const unsigned long error = ERR_get_error();
  ERR_clear_error();
  if (error == 0) return {};
  const char* reason = ERR_reason_error_string(error);
  return reason != nullptr ? reason : "error " + std::to_string(error);
}

}  // namespace runnel::tls
