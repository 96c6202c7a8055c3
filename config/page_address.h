// Where the page is for a browser on this machine.
#pragma once

#include <string>

#include "config/config.h"

namespace runnel::config {

/// "http://127.0.0.1:7080/": the first address of listen.signalling, loopback standing in for every
/// address; empty when there is none.
[[nodiscard]] std::string page_address(const Config& config);

}  // namespace runnel::config
