// Follows the addresses of one DNS name: asked for at start, and again from time to time.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "daemon/event_loop.h"

namespace runnel::daemon {

/// When a name is looked up again.
struct LookupIntervals {
  std::chrono::milliseconds retry = std::chrono::seconds(5);     // while it fails
  std::chrono::milliseconds refresh = std::chrono::seconds(60);  // once it is known
};

enum class AddressFamily : std::uint8_t { ipv4, ipv6, any };

/// Asks the system's resolver in libuv's thread pool.
class NameLookup {
 public:
  /// One address at least, in the resolver's order; or a sentence about what went wrong.
  using Answer = std::expected<std::vector<IpAddress>, std::string>;

  /// `loop` must outlive it.
  NameLookup(EventLoop& loop, std::string host, AddressFamily family,
             std::function<void(const Answer&)> on_answer, const LookupIntervals& intervals);
  /// Forgets the answer that is still to come.
  ~NameLookup();
  NameLookup(const NameLookup&) = delete;
  NameLookup& operator=(const NameLookup&) = delete;

  void start();
  /// Whether a question is under way. It cannot be broken off: the loop's end waits for it.
  [[nodiscard]] bool is_busy() const noexcept { return question_ != nullptr; }

 private:
  struct Question;
  void take(const Answer& answer);

  EventLoop& loop_;
  std::string host_;
  AddressFamily family_;
  std::function<void(const Answer&)> on_answer_;
  LookupIntervals intervals_;
  Timer timer_;
  Question* question_ = nullptr;  // owns itself until its callback
};

}  // namespace runnel::daemon
