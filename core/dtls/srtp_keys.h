// Takes the SRTP keys out of a finished handshake. For .cpp files of this room only.
#pragma once

#include <optional>

#include "core/dtls/association.h"
#include "core/dtls/openssl.h"

namespace runnel::dtls {

/// As the side that `role` is. nullopt: no profile was agreed on, or out of memory.
[[nodiscard]] std::optional<SrtpKeys> export_srtp_keys(SSL* ssl, Role role) noexcept;

}  // namespace runnel::dtls
