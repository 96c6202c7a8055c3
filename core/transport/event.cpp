#include "core/transport/event.h"

namespace runnel::transport {

std::string_view to_string(PeerEndReason reason) noexcept {
  switch (reason) {
    case PeerEndReason::never_connected:
      return "never_connected";
    case PeerEndReason::handshake_failed:
      return "handshake_failed";
    case PeerEndReason::wrong_fingerprint:
      return "wrong_fingerprint";
    case PeerEndReason::no_common_profile:
      return "no_common_profile";
    case PeerEndReason::closed:
      return "closed";
    case PeerEndReason::consent_lost:
      return "consent_lost";
  }
  return "";
}

}  // namespace runnel::transport
