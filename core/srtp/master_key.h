// A master key with its salt and its identifier, as a person or a key exchange gives it.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/secret.h"
#include "core/srtp/profile.h"

namespace runnel::srtp {

inline constexpr std::size_t kMaxMasterKeySize = 32;
inline constexpr std::size_t kMaxMasterSaltSize = 14;
/// Longest key identifier. SDES allows 128 bytes; nobody is known to use more than 4, and a packet
/// slot's tail has to hold it.
inline constexpr std::size_t kMaxMkiSize = 32;

enum class KeyError : std::uint8_t {
  wrong_length,  // key and salt together do not have the profile's length
  not_base64,
  mki_too_long,
};
[[nodiscard]] std::string_view to_string(KeyError error) noexcept;

/// Move-only, wiped, not printable.
class MasterKey {
 public:
  /// `key_and_salt` is the concatenation, as SDES carries it: parameters(profile).key_size +
  /// salt_size bytes. An empty `mki` means that packets carry none.
  [[nodiscard]] static std::expected<MasterKey, KeyError> create(Profile profile,
                                                                 ByteView key_and_salt,
                                                                 ByteView mki = {});
  /// The same from base64 (RFC 4568 §6.1 "inline:" without the prefix); missing '=' padding is
  /// accepted.
  [[nodiscard]] static std::expected<MasterKey, KeyError> from_base64(Profile profile,
                                                                      std::string_view base64,
                                                                      ByteView mki = {});
  [[nodiscard]] MasterKey clone() const;

  [[nodiscard]] Profile profile() const noexcept { return profile_; }
  [[nodiscard]] ByteView key() const noexcept { return key_.view(); }
  [[nodiscard]] ByteView salt() const noexcept { return salt_.view(); }
  [[nodiscard]] ByteView mki() const noexcept { return mki_.view(); }
  /// Whether key and salt are equal, in constant time; the MKI is not compared.
  [[nodiscard]] bool same_key(const MasterKey& other) const noexcept;

 private:
  MasterKey() = default;

  Profile profile_ = Profile::aes_cm_128_hmac_sha1_80;
  Secret<kMaxMasterKeySize> key_;
  Secret<kMaxMasterSaltSize> salt_;
  Secret<kMaxMkiSize> mki_;
};

}  // namespace runnel::srtp
