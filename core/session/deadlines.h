// What the desk waits for, behind one timer: each thing has one deadline or none.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/base/time.h"

namespace runnel::session {

/// What happens when a deadline has passed, and to whom; `number` counts things of one kind.
struct Due {
  enum class Kind : std::uint8_t {
    hello,       // a connection has not said hello
    hold,        // a session's client has not come back
    expiry,      // a session's token is no longer valid
    stream,      // a stream's publisher has not come back
    wait,        // a subscription has waited long enough
    statistics,  // a session gets its statistics
    voice,       // a voice connection has something to play
  };
  Kind kind = Kind::hello;
  std::uint64_t number = 0;

  friend auto operator<=>(const Due&, const Due&) = default;
};

/// O(log n) each. Allocates when something is set that had no deadline.
class Deadlines {
 public:
  /// Replaces the deadline that it had.
  void set(const Due& due, Timestamp when) {
    clear(due);
    when_.emplace(due, when);
    queue_.emplace(when, due);
  }
  void clear(const Due& due) {
    const auto found = when_.find(due);
    if (found == when_.end()) return;
    queue_.erase({found->second, due});
    when_.erase(found);
  }
  [[nodiscard]] std::optional<Timestamp> earliest() const noexcept {
    if (queue_.empty()) return std::nullopt;
    return queue_.begin()->first;
  }
  /// Takes out the earliest that is not after `now`.
  [[nodiscard]] std::optional<Due> take(Timestamp now) {
    if (queue_.empty() || queue_.begin()->first > now) return std::nullopt;
    const Due due = queue_.begin()->second;
    clear(due);
    return due;
  }
  [[nodiscard]] std::size_t size() const noexcept { return when_.size(); }

 private:
  std::map<Due, Timestamp> when_;
  std::set<std::pair<Timestamp, Due>> queue_;
};

}  // namespace runnel::session
