// Who may come in, and how: tls, auth, signalling, webrtc.
#pragma once

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Reads those four into `config`, whose listen.signalling is there already, and holds them
/// against it: an address that others reach needs `auth`.
void load_access(const Mapping& root, const Surroundings& surroundings, Config& config,
                 ProblemList& problems);

}  // namespace runnel::config
