#include "daemon/webrtc_setup.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "daemon/pem_files.h"

namespace runnel::daemon {

bool serves_webrtc(const config::Config& config) noexcept {
  return config.webrtc.enabled && !config.signalling.empty() &&
         (!config.media.empty() || config.webrtc.ice_tcp);
}

std::expected<dtls::Context, config::Problem> load_dtls_certificate(const config::Config& config) {
  const auto& files = config.webrtc.certificate;
  if (!files) {
    auto context = dtls::Context::self_signed();
    if (context) return std::move(*context);
    return std::unexpected(config::Problem{{config.file, 0, "webrtc.certificate"},
                                           "no certificate can be made: " + context.error(),
                                           "name one in PEM, or set webrtc.enabled to false"});
  }
  const auto texts = PemFiles::read(*files);
  if (!texts) return std::unexpected(texts.error());
  auto context = dtls::Context::from_pem(texts->certificate(), texts->key());
  if (context) return std::move(*context);
  return std::unexpected(config::Problem{files->certificate_origin, context.error(),
                                         "both files hold PEM, the key without a passphrase"});
}

transport::TransportLimits transport_limits(const config::Limits& limits) {
  transport::TransportLimits result;
  result.peers = limits.peers;
  result.replay_window = limits.replay_window;
  result.connect = limits.connect_timeout;
  result.consent = limits.consent_timeout;
  // Whoever only watches says nothing but a check every 5 s, give or take a fifth (RFC 7675 §5.1),
  // of which some get lost. Media that stalls is told of its track, after limits.stall.
  constexpr std::chrono::seconds kThreeChecks{18};
  result.stall = std::max<Duration>(limits.stall, kThreeChecks);
  return result;
}

}  // namespace runnel::daemon
