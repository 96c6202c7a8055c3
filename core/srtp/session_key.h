// What one master key gives for one kind of packet: cipher, authentication key and salt.
#pragma once

#include <optional>
#include <variant>

#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_gcm.h"
#include "core/crypto/hmac_sha1.h"
#include "core/srtp/initialization_vector.h"
#include "core/srtp/master_key.h"
#include "core/srtp/packet_kind.h"

namespace runnel::srtp {

/// AES counter mode with HMAC-SHA1 beside it (RFC 3711 §4, RFC 6188).
struct CounterModeKey {
  crypto::AesCtr cipher;
  crypto::HmacSha1Key authentication;
};

/// Derived once; move-only and wiped by its parts.
class SessionKey {
 public:
  SessionKey(const MasterKey& master, PacketKind kind);

  /// Exactly one of the two is there, by `parameters(profile).is_aead`.
  [[nodiscard]] const CounterModeKey* counter_mode() const noexcept {
    return std::get_if<CounterModeKey>(&key_);
  }
  [[nodiscard]] crypto::AesGcm* gcm() noexcept { return std::get_if<crypto::AesGcm>(&key_); }
  [[nodiscard]] const SessionSalt& salt() const noexcept { return salt_; }

 private:
  std::variant<CounterModeKey, crypto::AesGcm> key_;
  SessionSalt salt_;
};

}  // namespace runnel::srtp
