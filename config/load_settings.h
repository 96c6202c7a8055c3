// The parts of the file that concern the whole daemon: listen, announce, log, limits.
#pragma once

#include "config/config.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Fills just these; what the file does not say keeps its default.
void load_settings(const Mapping& root, Config& config);

}  // namespace runnel::config
