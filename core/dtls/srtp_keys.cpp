// Keying material of a handshake (RFC 5764 §4.2):
//
//   | client's master key | server's master key | client's master salt | server's master salt |
#include "core/dtls/srtp_keys.h"

#include <array>
#include <string_view>
#include <utility>

#include <openssl/err.h>

#include "core/dtls/srtp_profile.h"

namespace runnel::dtls {
namespace {

constexpr std::string_view kLabel = "EXTRACTOR-dtls_srtp";

using KeyAndSalt = Secret<srtp::kMaxMasterKeySize + srtp::kMaxMasterSaltSize>;

KeyAndSalt join(ByteView key, ByteView salt) noexcept {
  std::array<std::uint8_t, srtp::kMaxMasterKeySize + srtp::kMaxMasterSaltSize> bytes;
  copy_bytes(bytes, key);
  copy_bytes(ByteSpan(bytes).subspan(key.size()), salt);
  KeyAndSalt joined(ByteView(bytes).first(key.size() + salt.size()));
  wipe(bytes.data(), bytes.size());
  return joined;
}

std::optional<SrtpKeys> take_apart(srtp::Profile profile, ByteView material, Role role) noexcept {
  const auto& sizes = srtp::parameters(profile);
  const ByteView keys = material.first(2 * sizes.key_size);
  const ByteView salts = material.subspan(2 * sizes.key_size);
  auto client = srtp::MasterKey::create(
      profile, join(keys.first(sizes.key_size), salts.first(sizes.salt_size)).view());
  auto server = srtp::MasterKey::create(
      profile, join(keys.subspan(sizes.key_size), salts.subspan(sizes.salt_size)).view());
  if (!client || !server) return std::nullopt;
  if (role == Role::passive) std::swap(client, server);
  return SrtpKeys{.local = std::move(*client), .remote = std::move(*server)};
}

}  // namespace

std::optional<SrtpKeys> export_srtp_keys(SSL* ssl, Role role) noexcept {
  const std::optional<srtp::Profile> profile = negotiated_profile(ssl);
  if (!profile) return std::nullopt;
  const auto& sizes = srtp::parameters(*profile);
  std::array<std::uint8_t, 2 * (srtp::kMaxMasterKeySize + srtp::kMaxMasterSaltSize)> bytes;
  const ByteSpan material = ByteSpan(bytes).first(2 * (sizes.key_size + sizes.salt_size));
  std::optional<SrtpKeys> keys;
  if (SSL_export_keying_material(ssl, material.data(), material.size(), kLabel.data(),
                                 kLabel.size(), nullptr, 0, 0) == 1) {
    keys = take_apart(*profile, material, role);
  }
  ERR_clear_error();
  wipe(bytes.data(), bytes.size());
  return keys;
}

}  // namespace runnel::dtls
