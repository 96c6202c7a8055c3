#include "daemon/version.h"

namespace runnel::daemon {

std::string_view version() noexcept {
  return RUNNEL_VERSION;
}

}  // namespace runnel::daemon
