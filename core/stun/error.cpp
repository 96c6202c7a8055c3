#include "core/stun/error.h"

namespace runnel::stun {

std::string_view to_string(Error error) noexcept {
  switch (error) {
    case Error::truncated:
      return "truncated";
    case Error::too_long:
      return "too_long";
    case Error::not_stun:
      return "not_stun";
    case Error::bad_length:
      return "bad_length";
    case Error::bad_attribute:
      return "bad_attribute";
    case Error::bad_fingerprint:
      return "bad_fingerprint";
  }
  return "unknown";
}

}  // namespace runnel::stun
