// What the program's exit status says; the numbers are those of sysexits.h.
#pragma once

#include <cstdint>

namespace runnel::daemon {

enum class ExitCode : std::uint8_t {
  ok = 0,
  unhealthy = 1,       // the answer of --health, as containers expect it
  usage = 64,          // the command line makes no sense
  internal = 70,       // a bug of ours
  environment = 71,    // the machine does not allow it: a port in use, no more descriptors
  configuration = 78,  // the configuration file is missing or wrong
};

}  // namespace runnel::daemon
