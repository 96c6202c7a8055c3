// The tokens that are accepted, and what each of them may do.
#pragma once

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

inline constexpr std::size_t kMostTokens = 1'000;

/// Reads open, tokens, query, jwt. Problems never hold a token. False after a problem.
[[nodiscard]] bool load_auth(const Value& value, const Surroundings& surroundings, Auth& auth);

}  // namespace runnel::config
