// Takes new connections off the listeners, a bounded number at a time, and rests when the machine
// has no room for more.
#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/signalling/tcp_listener.h"

namespace runnel::daemon {

/// Without descriptors or memory for another connection it stops to listen, says so once, and goes
/// on when `resume` is called (one of our own has closed) or kRest is over.
class Acceptor {
 public:
  static constexpr std::size_t kMaxAcceptsPerWakeUp = 64;
  static constexpr Duration kRest = std::chrono::seconds(1);

  /// `loop` and `log` must outlive it.
  Acceptor(EventLoop& loop, std::vector<TcpListener> listeners, Log& log);
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  [[nodiscard]] std::expected<void, SystemError> start();

  /// Whether a connection may be waiting.
  [[nodiscard]] bool is_ready() const noexcept { return ready_ != nullptr; }
  /// The next connection of this wake-up; nullopt: none, or its share is used up.
  [[nodiscard]] std::optional<AcceptedSocket> next(Timestamp now);
  /// Begins the share of another wake-up.
  void end_wake_up() noexcept { accepted_ = 0; }

  void resume() noexcept;
  /// When the rest is over; nullopt while it listens.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept { return resume_at_; }
  void handle_timeout(Timestamp now) noexcept;

  [[nodiscard]] const std::vector<TcpListener>& listeners() const noexcept { return listeners_; }

 private:
  struct Watch {
    Acceptor* acceptor = nullptr;
    std::size_t listener = 0;
    bool is_ready = false;
    UvHandle<uv_poll_t> poll;
  };

  void listen() noexcept;
  void rest(Timestamp now, int error);
  [[nodiscard]] Watch* find_ready() noexcept;

  EventLoop& loop_;
  std::vector<TcpListener> listeners_;
  Log& log_;
  std::vector<Watch> watches_;
  Watch* ready_ = nullptr;
  std::size_t accepted_ = 0;  // in this wake-up
  bool has_complained_ = false;
  std::optional<Timestamp> resume_at_;
};

}  // namespace runnel::daemon
