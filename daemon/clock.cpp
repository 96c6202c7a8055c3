#include "daemon/clock.h"

#include <uv.h>

namespace runnel::daemon {

Timestamp read_clock() noexcept {
  return Timestamp(Duration(static_cast<Duration::rep>(uv_hrtime())));
}

}  // namespace runnel::daemon
