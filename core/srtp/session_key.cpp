#include "core/srtp/session_key.h"

#include "core/srtp/key_derivation.h"

namespace runnel::srtp {
namespace {

struct Labels {
  KeyLabel encryption;
  KeyLabel authentication;
  KeyLabel salt;
};

constexpr Labels labels_of(PacketKind kind) noexcept {
  if (kind == PacketKind::rtp) {
    return {KeyLabel::rtp_encryption, KeyLabel::rtp_authentication, KeyLabel::rtp_salt};
  }
  return {KeyLabel::rtcp_encryption, KeyLabel::rtcp_authentication, KeyLabel::rtcp_salt};
}

std::variant<CounterModeKey, crypto::AesGcm> derive_cipher(const MasterKey& master,
                                                           const Labels& labels) {
  const ProfileParameters& sizes = parameters(master.profile());
  const auto encryption =
      derive_secret<kMaxMasterKeySize>(master, labels.encryption, sizes.key_size);
  if (sizes.is_aead) return crypto::AesGcm(encryption.view());
  const auto authentication = derive_secret<crypto::kSha1DigestSize>(master, labels.authentication,
                                                                     crypto::kSha1DigestSize);
  return CounterModeKey{crypto::AesCtr(encryption.view()),
                        crypto::HmacSha1Key(authentication.view())};
}

SessionSalt derive_salt(const MasterKey& master, const Labels& labels) {
  std::array<std::uint8_t, kSessionSaltSize> padded{};
  derive_key(master, labels.salt, ByteSpan(padded).first(parameters(master.profile()).salt_size));
  SessionSalt salt{ByteView(padded)};
  wipe(padded.data(), padded.size());
  return salt;
}

}  // namespace

SessionKey::SessionKey(const MasterKey& master, PacketKind kind)
    : key_(derive_cipher(master, labels_of(kind))), salt_(derive_salt(master, labels_of(kind))) {}

}  // namespace runnel::srtp
