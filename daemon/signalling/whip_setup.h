// Config -> what WHIP and WHEP tell their clients.
#pragma once

#include "config/config.h"
#include "core/whip/settings.h"

namespace runnel::daemon {

[[nodiscard]] whip::Settings whip_settings(const config::Config& config);

}  // namespace runnel::daemon
