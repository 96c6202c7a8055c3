// The connections of a server, each in a slot: found by number, by the desk's id, and by deadline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/deadline_queue.h"
#include "core/base/path.h"
#include "daemon/signalling/connection.h"

namespace runnel::daemon {

using Slot = std::uint32_t;

class Server;

/// A slot and who is in it. Stays where it is as long as the table lives, so that callbacks of the
/// loop can point at it.
struct Place {
  Server* server = nullptr;
  Slot slot = 0;
  std::unique_ptr<Connection> connection;  // nullptr: nobody
  bool is_admitted = false;                // and not merely there to be refused
  bool is_ready = false;                   // in the list of those that want a pass
  bool is_unsent = false;                  // in the list of those that were given messages
  std::optional<whip::ReaderId> reader;    // of one that gets server-sent events
  std::optional<Path> path;                // of one that may carry media
};

class ConnectionTable {
 public:
  explicit ConnectionTable(std::size_t capacity);

  /// nullptr when all slots are taken.
  [[nodiscard]] Place* add(std::unique_ptr<Connection> connection);
  [[nodiscard]] Place& at(Slot slot) noexcept { return places_[slot]; }
  void remove(Place& place);

  /// The desk knows the connection by this id.
  void name(session::ConnectionId id, Slot slot) { by_id_[id] = slot; }
  void forget(session::ConnectionId id) { by_id_.erase(id); }
  /// nullptr when it does not.
  [[nodiscard]] Place* find(session::ConnectionId id) noexcept;

  /// Looks at the connection's deadline anew.
  void update_deadline(const Place& place) noexcept;
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept {
    return deadlines_.earliest();
  }
  [[nodiscard]] std::optional<Slot> take_due(Timestamp now) noexcept {
    return deadlines_.take_due(now);
  }

  [[nodiscard]] std::size_t size() const noexcept { return places_.size() - free_.size(); }
  /// How many are known by an id.
  [[nodiscard]] std::size_t websockets() const noexcept { return by_id_.size(); }

 private:
  std::deque<Place> places_;  // grows up to the capacity
  std::vector<Slot> free_;
  std::size_t capacity_;
  std::unordered_map<session::ConnectionId, Slot> by_id_;
  DeadlineQueue deadlines_;
};

}  // namespace runnel::daemon
