// Master keys from bytes and from base64.
#include "core/srtp/master_key.h"

#include <gtest/gtest.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

Bytes copy(ByteView view) {
  return {view.begin(), view.end()};
}

TEST(MasterKey, SplitsKeyAndSalt) {
  for (const Profile profile : kProfiles) {
    const Bytes material = key_material(profile);
    const MasterKey key = MasterKey::create(profile, material, from_hex("0102")).value();
    Bytes joined = copy(key.key());
    EXPECT_EQ(joined.size(), parameters(profile).key_size);
    joined.insert(joined.end(), key.salt().begin(), key.salt().end());
    EXPECT_EQ(joined, material);
    EXPECT_EQ(copy(key.mki()), from_hex("0102"));
    EXPECT_EQ(key.profile(), profile);
  }
}

TEST(MasterKey, OneByteMoreOrLessIsRefused) {
  for (const Profile profile : kProfiles) {
    Bytes material = key_material(profile);
    material.push_back(0);
    EXPECT_EQ(MasterKey::create(profile, material).error(), KeyError::wrong_length);
    material.resize(material.size() - 2);
    EXPECT_EQ(MasterKey::create(profile, material).error(), KeyError::wrong_length);
  }
}

TEST(MasterKey, MkiHasABound) {
  const Profile profile = Profile::aead_aes_128_gcm;
  EXPECT_TRUE(MasterKey::create(profile, key_material(profile), Bytes(kMaxMkiSize)).has_value());
  EXPECT_EQ(MasterKey::create(profile, key_material(profile), Bytes(kMaxMkiSize + 1)).error(),
            KeyError::mki_too_long);
}

TEST(MasterKey, FromBase64) {
  // 0x00 to 0x1d.
  constexpr std::string_view kText = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd";
  const auto key = MasterKey::from_base64(Profile::aes_cm_128_hmac_sha1_80, kText);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(copy(key->key()), from_hex("000102030405060708090a0b0c0d0e0f"));
  EXPECT_EQ(copy(key->salt()), from_hex("101112131415161718191a1b1c1d"));
}

TEST(MasterKey, FromBase64SaysWhatIsWrong) {
  const auto error = [](std::string_view text) {
    return MasterKey::from_base64(Profile::aes_cm_128_hmac_sha1_80, text).error();
  };
  EXPECT_EQ(error("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxw"), KeyError::wrong_length);
  EXPECT_EQ(error(std::string(400, 'A')), KeyError::wrong_length);
  EXPECT_EQ(error("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBka!xwd"), KeyError::not_base64);
}

TEST(MasterKey, SameKeyComparesKeyAndSaltAlone) {
  const Profile profile = Profile::aes_cm_128_hmac_sha1_80;
  const MasterKey key = make_key(profile, 1, from_hex("01"));
  EXPECT_TRUE(key.same_key(key.clone()));
  EXPECT_TRUE(key.same_key(make_key(profile, 1, from_hex("02"))));
  EXPECT_FALSE(key.same_key(make_key(profile, 2)));
  Bytes other_salt = key_material(profile);
  other_salt.back() ^= 1;
  EXPECT_FALSE(key.same_key(MasterKey::create(profile, other_salt).value()));
  EXPECT_FALSE(key.same_key(make_key(Profile::aead_aes_128_gcm)));
}

}  // namespace
}  // namespace runnel::srtp::test
