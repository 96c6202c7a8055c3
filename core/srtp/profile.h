// The SRTP protection profiles and their sizes (RFC 3711, RFC 6188, RFC 7714).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace runnel::srtp {

enum class Profile : std::uint8_t {
  aes_cm_128_hmac_sha1_80,
  aes_cm_128_hmac_sha1_32,
  aes_256_cm_hmac_sha1_80,
  aes_256_cm_hmac_sha1_32,
  aead_aes_128_gcm,
  aead_aes_256_gcm,
};
inline constexpr std::array kProfiles{
    Profile::aes_cm_128_hmac_sha1_80, Profile::aes_cm_128_hmac_sha1_32,
    Profile::aes_256_cm_hmac_sha1_80, Profile::aes_256_cm_hmac_sha1_32,
    Profile::aead_aes_128_gcm,        Profile::aead_aes_256_gcm,
};

/// Sizes in bytes.
struct ProfileParameters {
  std::string_view
      name;  // as in SDES (RFC 4568 §6.2, RFC 6188 §4, RFC 7714 §14): "AES_CM_128_HMAC_SHA1_80"
  std::size_t key_size;
  std::size_t salt_size;
  std::size_t rtp_tag_size;
  std::size_t rtcp_tag_size;  // 10 for the _32 profiles too (RFC 3711 §5.2, RFC 4568 §6.2)
  bool is_aead;
};

[[nodiscard]] const ProfileParameters& parameters(Profile profile) noexcept;
[[nodiscard]] std::string_view to_string(Profile profile) noexcept;
/// By its SDES name, letter case ignored; also the OpenSSL/DTLS spelling
/// ("SRTP_AES128_CM_HMAC_SHA1_80", "SRTP_AEAD_AES_128_GCM") that ffmpeg prints.
[[nodiscard]] std::optional<Profile> profile_from_name(std::string_view name) noexcept;

}  // namespace runnel::srtp
