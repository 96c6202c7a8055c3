// The certificate of the configuration, read at start and again when somebody asks for it.
#pragma once

#include <cstdint>
#include <expected>

#include "config/loader.h"
#include "core/tls/server_context.h"

namespace runnel::daemon {

/// `now` in seconds since 1970 UTC. The problem names the file that is at fault, and no secret.
[[nodiscard]] std::expected<tls::ServerContext, config::Problem> load_certificate(
    const config::CertificateFiles& files, std::int64_t now);

}  // namespace runnel::daemon
