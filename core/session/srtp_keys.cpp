#include "core/session/srtp_keys.h"

#include <array>

#include "core/srtp/profile.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;
using signalling::KeyMaterial;

KeyMaterial draw(std::size_t size, RandomSource& random) {
  std::array<std::uint8_t, 64> bytes;
  const ByteSpan used = ByteSpan(bytes).first(size);
  random.fill(used);
  KeyMaterial material(used);
  wipe(bytes.data(), bytes.size());
  return material;
}

Expected<KeyMaterial> given_or_drawn(const std::optional<KeyMaterial>& given, srtp::Profile profile,
                                     RandomSource& random) {
  const srtp::ProfileParameters& sizes = srtp::parameters(profile);
  const std::size_t size = sizes.key_size + sizes.salt_size;
  if (!given) return draw(size, random);
  if (given->size() == size) return given->clone();
  return refuse(ErrorCode::bad_key, std::string(srtp::to_string(profile)) +
                                        " needs key and salt of " + std::to_string(size) +
                                        " bytes, and not of " + std::to_string(given->size()));
}

}  // namespace

Expected<ChosenKeys> choose_keys(const signalling::SrtpOffer& offer, std::size_t replay_window,
                                 RandomSource& random) {
  if (offer.suites.empty()) {
    return refuse(ErrorCode::unsupported_suite, "none of the suites is known here");
  }
  const srtp::Profile profile = offer.suites.front();
  auto key = given_or_drawn(offer.key, profile, random);
  if (!key) return std::unexpected(key.error());
  auto reply_key = given_or_drawn(offer.reply_key, profile, random);
  if (!reply_key) return std::unexpected(reply_key.error());
  ChosenKeys chosen;
  chosen.srtp.profile = profile;
  chosen.srtp.replay_window = replay_window;
  // The sizes have been looked at.
  chosen.srtp.media_keys.push_back(srtp::MasterKey::create(profile, key->view()).value());
  chosen.srtp.reply_keys.push_back(srtp::MasterKey::create(profile, reply_key->view()).value());
  chosen.key = std::move(*key);
  chosen.reply_key = std::move(*reply_key);
  return chosen;
}

}  // namespace runnel::session
