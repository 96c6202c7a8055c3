// libuv with owners: a loop, and the handles that live on it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include <uv.h>

namespace runnel::daemon {

/// Closing is asynchronous in libuv: a handle's memory is given back by its close callback and
/// nowhere else.
struct CloseHandle {
  template <typename HandleType>
  void operator()(HandleType* handle) const noexcept {
    uv_close(reinterpret_cast<uv_handle_t*>(handle),
             [](uv_handle_t* closed) noexcept { delete reinterpret_cast<HandleType*>(closed); });
  }
};
/// An initialised handle of type uv_timer_t, uv_poll_t and so on.
template <typename HandleType>
using UvHandle = std::unique_ptr<HandleType, CloseHandle>;

/// The loop of one thread. Handles must be destroyed before it.
class EventLoop {
 public:
  EventLoop();
  /// Waits for close callbacks.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  [[nodiscard]] uv_loop_t* get() noexcept { return &loop_; }
  /// Until `stop`.
  void run() noexcept { uv_run(&loop_, UV_RUN_DEFAULT); }
  void stop() noexcept { uv_stop(&loop_); }

 private:
  uv_loop_t loop_;
};

/// Calls `action` when its time has come. The action must not throw, and may re-arm the timer.
class Timer {
 public:
  Timer(EventLoop& loop, std::function<void()> action);
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void start_once(std::chrono::milliseconds delay) noexcept;
  void start_repeating(std::chrono::milliseconds interval) noexcept;
  void stop() noexcept { uv_timer_stop(handle_.get()); }

 private:
  void start(std::chrono::milliseconds delay, std::chrono::milliseconds interval) noexcept;

  std::function<void()> action_;
  UvHandle<uv_timer_t> handle_;
};

/// Calls `action` at each signal of one number, on the loop's thread.
class SignalWatch {
 public:
  SignalWatch(EventLoop& loop, int signal_number, std::function<void()> action);
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Gives the signal its default meaning again.
  void stop() noexcept { uv_signal_stop(handle_.get()); }

 private:
  std::function<void()> action_;
  UvHandle<uv_signal_t> handle_;
};

}  // namespace runnel::daemon
