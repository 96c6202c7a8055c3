// What runneld takes on at most.
#pragma once

#include "config/config.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// What the mapping does not say keeps its default.
void load_limits(const Mapping& limits, Limits& result);

}  // namespace runnel::config
