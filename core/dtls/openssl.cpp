// Takes errors from OpenSSL's queue.
#include "core/dtls/openssl.h"

#include <openssl/err.h>

namespace runnel::dtls {

std::string take_openssl_error() {
  // The first one is the cause, unless DTLS itself has a word for what went wrong.
  unsigned long error = ERR_get_error();
  if (error == 0) return {};
  while (const unsigned long next = ERR_get_error()) {
    if (ERR_GET_LIB(next) == ERR_LIB_SSL) error = next;
  }
  const char* reason = ERR_reason_error_string(error);
  return reason != nullptr ? reason : "error " + std::to_string(error);
}

}  // namespace runnel::dtls
