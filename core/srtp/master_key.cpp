#include "core/srtp/master_key.h"

#include "core/base/base64.h"
#include "core/crypto/constant_time.h"

namespace runnel::srtp {

std::string_view to_string(KeyError error) noexcept {
  switch (error) {
    case KeyError::wrong_length:
      return "wrong length";
    case KeyError::not_base64:
      return "not base64";
    case KeyError::mki_too_long:
      return "MKI too long";
  }
  return "unknown";
}

std::expected<MasterKey, KeyError> MasterKey::create(Profile profile, ByteView key_and_salt,
                                                     ByteView mki) {
  const ProfileParameters& sizes = parameters(profile);
  if (key_and_salt.size() != sizes.key_size + sizes.salt_size) {
    return std::unexpected(KeyError::wrong_length);
  }
  if (mki.size() > kMaxMkiSize) return std::unexpected(KeyError::mki_too_long);
  MasterKey key;
  key.profile_ = profile;
  key.key_ = Secret<kMaxMasterKeySize>(key_and_salt.first(sizes.key_size));
  key.salt_ = Secret<kMaxMasterSaltSize>(key_and_salt.subspan(sizes.key_size));
  key.mki_ = Secret<kMaxMkiSize>(mki);
  return key;
}

std::expected<MasterKey, KeyError> MasterKey::from_base64(Profile profile, std::string_view base64,
                                                          ByteView mki) {
  std::array<std::uint8_t, kMaxMasterKeySize + kMaxMasterSaltSize> bytes;
  std::expected<MasterKey, KeyError> key = std::unexpected(KeyError::not_base64);
  if (const std::optional<std::size_t> size = decode_base64(base64, bytes)) {
    if (*size > bytes.size()) {
      key = std::unexpected(KeyError::wrong_length);
    } else {
      key = create(profile, ByteView(bytes).first(*size), mki);
    }
  }
  wipe(bytes.data(), bytes.size());
  return key;
}

MasterKey MasterKey::clone() const {
  MasterKey copy;
  copy.profile_ = profile_;
  copy.key_ = key_.clone();
  copy.salt_ = salt_.clone();
  copy.mki_ = mki_.clone();
  return copy;
}

bool MasterKey::same_key(const MasterKey& other) const noexcept {
  const bool keys_equal = crypto::equal_in_constant_time(key(), other.key());
  const bool salts_equal = crypto::equal_in_constant_time(salt(), other.salt());
  return keys_equal && salts_equal;
}

}  // namespace runnel::srtp
