// Master keys of an `srtp` leg: inline base64, a file, or an environment variable.
#pragma once

#include <optional>

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Reads suite, key | key_file | keys, mki, reply_key | reply_key_file. Problems name lengths and
/// places, never key material. nullopt after a problem.
[[nodiscard]] std::optional<Srtp> load_srtp(const Mapping& leg, const Surroundings& surroundings);

}  // namespace runnel::config
