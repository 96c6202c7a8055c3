// SRTP protection profiles as DTLS knows them (RFC 5764 §4.1.2, RFC 7714 §14.2). For .cpp files of
// this room only.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "core/dtls/openssl.h"
#include "core/srtp/profile.h"

namespace runnel::dtls {

/// What we offer and choose, best first.
inline constexpr std::array kPreferredProfiles{
    srtp::Profile::aead_aes_128_gcm,
    srtp::Profile::aead_aes_256_gcm,
    srtp::Profile::aes_cm_128_hmac_sha1_80,
};

/// As SSL_CTX_set_tlsext_use_srtp wants them. Profiles that DTLS has no number for (AES-CM with 256
/// bits) are left out.
[[nodiscard]] std::string use_srtp_list(std::span<const srtp::Profile> profiles);

/// What the two sides have agreed on; nullopt: nothing.
[[nodiscard]] std::optional<srtp::Profile> negotiated_profile(SSL* ssl) noexcept;

}  // namespace runnel::dtls
