// How signalling serves its clients: origins, networks, times.
#pragma once

#include "config/config.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// What the value does not say keeps its default.
void load_signalling(const Value& value, SignallingSettings& settings);

}  // namespace runnel::config
