#include "daemon/clock.h"

#include <chrono>

#include <uv.h>

namespace runnel::daemon {

Timestamp read_clock() noexcept {
  return Timestamp(Duration(static_cast<Duration::rep>(uv_hrtime())));
}

std::int64_t read_wall_clock() noexcept {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace runnel::daemon
