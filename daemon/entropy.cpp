#include "daemon/entropy.h"

#include <cerrno>
#include <sys/random.h>

#include "core/base/check.h"

namespace runnel::daemon {

void SystemRandom::fill(ByteSpan out) noexcept {
  while (!out.empty()) {
    const ssize_t count = ::getrandom(out.data(), out.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    // Predictable SSRCs would repeat a keystream; there is no way to go on without randomness.
    RUNNEL_CHECK(count > 0);
    out = out.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace runnel::daemon
