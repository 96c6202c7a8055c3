#include "core/srtp/error.h"

namespace runnel::srtp {

std::string_view to_string(Error error) noexcept {
  switch (error) {
    case Error::malformed:
      return "malformed";
    case Error::authentication_failed:
      return "authentication failed";
    case Error::unknown_mki:
      return "unknown MKI";
    case Error::replayed:
      return "replayed";
    case Error::too_old:
      return "too old";
    case Error::too_many_ssrcs:
      return "too many SSRCs";
    case Error::key_expired:
      return "key expired";
    case Error::too_long:
      return "too long";
  }
  return "unknown";
}

DropReason drop_reason(Error error) noexcept {
  switch (error) {
    case Error::malformed:
      return DropReason::malformed;
    case Error::authentication_failed:
      return DropReason::authentication_failed;
    case Error::unknown_mki:
      return DropReason::unknown_mki;
    case Error::replayed:
      return DropReason::replayed;
    case Error::too_old:
      return DropReason::too_old;
    case Error::too_many_ssrcs:
      return DropReason::too_many_ssrcs;
    case Error::key_expired:
      return DropReason::key_expired;
    case Error::too_long:
      return DropReason::too_long_to_protect;
  }
  return DropReason::malformed;
}

}  // namespace runnel::srtp
