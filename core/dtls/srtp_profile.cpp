// Translates between our profiles and OpenSSL's.
#include "core/dtls/srtp_profile.h"

#include <openssl/srtp.h>

namespace runnel::dtls {
namespace {

struct DtlsProfile {
  srtp::Profile profile;
  unsigned long id;
  const char* name;  // OpenSSL's
};

constexpr std::array kDtlsProfiles{
    DtlsProfile{srtp::Profile::aead_aes_128_gcm, SRTP_AEAD_AES_128_GCM, "SRTP_AEAD_AES_128_GCM"},
    DtlsProfile{srtp::Profile::aead_aes_256_gcm, SRTP_AEAD_AES_256_GCM, "SRTP_AEAD_AES_256_GCM"},
    DtlsProfile{srtp::Profile::aes_cm_128_hmac_sha1_80, SRTP_AES128_CM_SHA1_80,
                "SRTP_AES128_CM_SHA1_80"},
    DtlsProfile{srtp::Profile::aes_cm_128_hmac_sha1_32, SRTP_AES128_CM_SHA1_32,
                "SRTP_AES128_CM_SHA1_32"},
};

}  // namespace

std::string use_srtp_list(std::span<const srtp::Profile> profiles) {
  std::string list;
  for (const srtp::Profile wanted : profiles) {
    for (const DtlsProfile& known : kDtlsProfiles) {
      if (known.profile != wanted) continue;
      if (!list.empty()) list += ':';
      list += known.name;
    }
  }
  return list;
}

std::optional<srtp::Profile> negotiated_profile(SSL* ssl) noexcept {
  const SRTP_PROTECTION_PROFILE* selected = SSL_get_selected_srtp_profile(ssl);
  if (selected == nullptr) return std::nullopt;
  for (const DtlsProfile& known : kDtlsProfiles) {
    if (known.id == selected->id) return known.profile;
  }
  return std::nullopt;
}

}  // namespace runnel::dtls
