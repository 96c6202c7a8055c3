// Log lines about what signalling clients have done.
#pragma once

#include "core/session/desk.h"
#include "daemon/log.h"

namespace runnel::daemon {

/// One line for each notice. Nothing in it is a secret.
[[nodiscard]] LogLine describe(const session::Notice& notice);

}  // namespace runnel::daemon
