// The two PEM files by which a server proves who it is: `certificate` and `key` of a mapping.
#pragma once

#include <optional>

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Both are required and can be read; what is in them is not looked at. nullopt after a problem. A
/// key that others may read is a warning.
[[nodiscard]] std::optional<CertificateFiles> load_certificate_files(
    const Mapping& map, const Surroundings& surroundings);

}  // namespace runnel::config
