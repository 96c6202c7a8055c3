// The relaying program as a whole: puts the parts together and lives until a signal.
#pragma once

#include "daemon/command_line.h"
#include "daemon/exit_codes.h"

namespace runnel::daemon {

/// Loads the configuration, binds the ports, says "ready", relays, and says goodbye.
[[nodiscard]] ExitCode run(const RunCommand& command);

}  // namespace runnel::daemon
