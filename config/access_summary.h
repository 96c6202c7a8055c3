// Who may come in and do what, for a person to read.
#pragma once

#include <string>

#include "config/config.h"

namespace runnel::config {

/// A line each for TLS and for access, and an indented one for each token, JWT key, and setting of
/// signalling that is not the default. Empty when nothing is listened on. No secrets.
[[nodiscard]] std::string access_summary(const Config& config);

}  // namespace runnel::config
