// An entry of `relays`: a stream, where it comes from, where it goes.
#pragma once

#include <optional>

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Reads `relays` into `config`, whose other parts are there already.
void load_relays(const Value& relays, const Surroundings& surroundings, Config& config);

}  // namespace runnel::config
