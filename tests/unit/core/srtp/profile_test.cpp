// Profiles and their names.
#include "core/srtp/profile.h"

#include <gtest/gtest.h>

namespace runnel::srtp {
namespace {

TEST(Profile, IsFoundByItsOwnName) {
  for (const Profile profile : kProfiles) {
    EXPECT_EQ(profile_from_name(to_string(profile)), profile);
  }
}

TEST(Profile, LetterCaseDoesNotMatter) {
  EXPECT_EQ(profile_from_name("aes_cm_128_hmac_sha1_80"), Profile::aes_cm_128_hmac_sha1_80);
  EXPECT_EQ(profile_from_name("Aead_Aes_256_Gcm"), Profile::aead_aes_256_gcm);
}

TEST(Profile, SpellingsOfOpensslFfmpegAndLibsrtpAreUnderstood) {
  EXPECT_EQ(profile_from_name("SRTP_AES128_CM_SHA1_80"), Profile::aes_cm_128_hmac_sha1_80);
  EXPECT_EQ(profile_from_name("SRTP_AES128_CM_HMAC_SHA1_32"), Profile::aes_cm_128_hmac_sha1_32);
  EXPECT_EQ(profile_from_name("SRTP_AEAD_AES_128_GCM"), Profile::aead_aes_128_gcm);
  EXPECT_EQ(profile_from_name("AES_CM_256_HMAC_SHA1_80"), Profile::aes_256_cm_hmac_sha1_80);
}

TEST(Profile, OtherNamesAreUnknown) {
  for (const std::string_view name : {"", "SRTP_", "AES_192_CM_HMAC_SHA1_80", "NULL_HMAC_SHA1_80",
                                      "AES_CM_128_HMAC_SHA1_8", "AES_CM_128_HMAC_SHA1_800"}) {
    EXPECT_EQ(profile_from_name(name), std::nullopt) << name;
  }
}

// RFC 3711 §5.2 and RFC 5764 §4.1.2: the short tag is for RTP alone.
TEST(Profile, RtcpTagIsNeverTheShortOne) {
  for (const Profile profile : kProfiles) EXPECT_GE(parameters(profile).rtcp_tag_size, 10U);
  EXPECT_EQ(parameters(Profile::aes_cm_128_hmac_sha1_32).rtp_tag_size, 4U);
}

}  // namespace
}  // namespace runnel::srtp
