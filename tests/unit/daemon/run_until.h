// Runs a loop until something is so, with an end to the waiting.
#pragma once

#include <chrono>

#include "daemon/event_loop.h"

namespace runnel::daemon {

/// Until `done()` or for ten seconds; whether it is done.
template <typename Done>
bool run_until(EventLoop& loop, Done done) {
  int rounds = 0;
  bool is_done = false;
  Timer timer(loop, [&] {
    is_done = done();
    if (is_done || ++rounds == 10'000) loop.stop();
  });
  timer.start_repeating(std::chrono::milliseconds(1));
  loop.run();
  return is_done;
}

}  // namespace runnel::daemon
