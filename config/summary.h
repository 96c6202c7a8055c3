// What a configuration means, for a person to read before it runs.
#pragma once

#include <string>

#include "config/loader.h"

namespace runnel::config {

/// The text of `runneld --check FILE`: listening addresses, a small tree for each relay, warnings,
/// and counts at the end. Many lines, each ended. No secrets.
[[nodiscard]] std::string summary(const Loaded& loaded);

}  // namespace runnel::config
