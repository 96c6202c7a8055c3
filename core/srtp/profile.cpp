#include "core/srtp/profile.h"

#include <algorithm>

namespace runnel::srtp {
namespace {

constexpr std::array<ProfileParameters, kProfiles.size()> kParameters{{
    {"AES_CM_128_HMAC_SHA1_80", 16, 14, 10, 10, false},
    {"AES_CM_128_HMAC_SHA1_32", 16, 14, 4, 10, false},
    {"AES_256_CM_HMAC_SHA1_80", 32, 14, 10, 10, false},
    {"AES_256_CM_HMAC_SHA1_32", 32, 14, 4, 10, false},
    {"AEAD_AES_128_GCM", 16, 12, 16, 16, true},
    {"AEAD_AES_256_GCM", 32, 12, 16, 16, true},
}};

struct Alias {
  std::string_view name;
  Profile profile;
};

/// Spellings of OpenSSL, ffmpeg and libsrtp, without the "SRTP_" in front.
constexpr std::array kAliases{
    Alias{"AES128_CM_SHA1_80", Profile::aes_cm_128_hmac_sha1_80},
    Alias{"AES128_CM_SHA1_32", Profile::aes_cm_128_hmac_sha1_32},
    Alias{"AES128_CM_HMAC_SHA1_80", Profile::aes_cm_128_hmac_sha1_80},
    Alias{"AES128_CM_HMAC_SHA1_32", Profile::aes_cm_128_hmac_sha1_32},
    Alias{"AES_CM_256_HMAC_SHA1_80", Profile::aes_256_cm_hmac_sha1_80},
    Alias{"AES_CM_256_HMAC_SHA1_32", Profile::aes_256_cm_hmac_sha1_32},
};

constexpr char to_upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, to_upper, to_upper);
}

}  // namespace

const ProfileParameters& parameters(Profile profile) noexcept {
  return kParameters[static_cast<std::size_t>(profile)];
}

std::string_view to_string(Profile profile) noexcept {
  return parameters(profile).name;
}

std::optional<Profile> profile_from_name(std::string_view name) noexcept {
  constexpr std::string_view kPrefix = "SRTP_";
  if (equal_ignoring_case(name.substr(0, kPrefix.size()), kPrefix)) {
    name.remove_prefix(kPrefix.size());
  }
  for (const Profile profile : kProfiles) {
    if (equal_ignoring_case(name, to_string(profile))) return profile;
  }
  for (const Alias& alias : kAliases) {
    if (equal_ignoring_case(name, alias.name)) return alias.profile;
  }
  return std::nullopt;
}

}  // namespace runnel::srtp
