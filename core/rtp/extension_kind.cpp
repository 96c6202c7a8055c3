#include "core/rtp/extension_kind.h"

namespace runnel::rtp {
namespace {

constexpr std::array<std::string_view, kExtensionKindCount> kUris{
    "urn:ietf:params:rtp-hdrext:sdes:mid",
    "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id",
    "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id",
    "urn:ietf:params:rtp-hdrext:ssrc-audio-level",
    "urn:3gpp:video-orientation",
    "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time",
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
    "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time",
    "http://www.webrtc.org/experiments/rtp-hdrext/color-space",
};

}  // namespace

std::string_view uri_of(ExtensionKind kind) noexcept {
  return kUris[static_cast<std::size_t>(kind)];
}

std::optional<ExtensionKind> extension_kind(std::string_view uri) noexcept {
  for (std::size_t i = 0; i < kUris.size(); ++i) {
    if (kUris[i] == uri) return static_cast<ExtensionKind>(i);
  }
  return std::nullopt;
}

}  // namespace runnel::rtp
