// Copies of the keys that a leg is described with.
#pragma once

#include <span>
#include <vector>

#include "core/relay/relay_description.h"

namespace runnel::relay {

[[nodiscard]] inline std::vector<srtp::MasterKey> clones_of(std::span<const srtp::MasterKey> keys) {
  std::vector<srtp::MasterKey> clones;
  clones.reserve(keys.size());
  for (const srtp::MasterKey& key : keys) clones.push_back(key.clone());
  return clones;
}

/// Of the RTCP against the media.
[[nodiscard]] inline std::span<const srtp::MasterKey> reply_keys(const SrtpSettings& srtp) {
  return srtp.reply_keys.empty() ? srtp.media_keys : srtp.reply_keys;
}

}  // namespace runnel::relay
