#include "core/rtp/error.h"

namespace runnel::rtp {

std::string_view to_string(Error error) noexcept {
  switch (error) {
    case Error::truncated:
      return "truncated";
    case Error::wrong_version:
      return "wrong version";
    case Error::bad_padding:
      return "bad padding";
    case Error::bad_extension:
      return "bad header extension";
    case Error::bad_length:
      return "bad length";
    case Error::bad_type:
      return "bad packet type";
  }
  return "unknown";
}

}  // namespace runnel::rtp
