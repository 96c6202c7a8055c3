// Config -> what peers are met with: the certificate of DTLS, and the bounds.
#pragma once

#include <expected>
#include <optional>

#include "config/config.h"
#include "config/loader.h"
#include "core/dtls/context.h"
#include "core/transport/transports.h"

namespace runnel::daemon {

/// Whether anybody can come by WebRTC: it is enabled, there is signalling to ask for it, and a port
/// for media.
[[nodiscard]] bool serves_webrtc(const config::Config& config) noexcept;

/// The configured certificate, or a new one.
[[nodiscard]] std::expected<dtls::Context, config::Problem> load_dtls_certificate(
    const config::Config& config);

[[nodiscard]] transport::TransportLimits transport_limits(const config::Limits& limits);

}  // namespace runnel::daemon
