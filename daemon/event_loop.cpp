#include "daemon/event_loop.h"

#include <utility>

#include "core/base/check.h"

namespace runnel::daemon {

EventLoop::EventLoop() {
  // Fails only for want of memory or descriptors, before anything has begun.
  RUNNEL_CHECK(uv_loop_init(&loop_) == 0);
}

EventLoop::~EventLoop() {
  while (uv_loop_close(&loop_) == UV_EBUSY) uv_run(&loop_, UV_RUN_ONCE);
}

Timer::Timer(EventLoop& loop, std::function<void()> action)
    : action_(std::move(action)), handle_(new uv_timer_t) {
  uv_timer_init(loop.get(), handle_.get());
  handle_->data = this;
}

void Timer::start_once(std::chrono::milliseconds delay) noexcept {
  start(delay, std::chrono::milliseconds::zero());
}

void Timer::start_repeating(std::chrono::milliseconds interval) noexcept {
  start(interval, interval);
}

void Timer::start(std::chrono::milliseconds delay, std::chrono::milliseconds interval) noexcept {
  const auto fire = [](uv_timer_t* timer) noexcept { static_cast<Timer*>(timer->data)->action_(); };
  uv_timer_start(handle_.get(), fire, static_cast<std::uint64_t>(delay.count()),
                 static_cast<std::uint64_t>(interval.count()));
}

SignalWatch::SignalWatch(EventLoop& loop, int signal_number, std::function<void()> action)
    : action_(std::move(action)), handle_(new uv_signal_t) {
  uv_signal_init(loop.get(), handle_.get());
  handle_->data = this;
  const auto fire = [](uv_signal_t* signal, int) noexcept {
    static_cast<SignalWatch*>(signal->data)->action_();
  };
  uv_signal_start(handle_.get(), fire, signal_number);
}

}  // namespace runnel::daemon
