#include "daemon/signalling/connection_table.h"

#include <utility>

namespace runnel::daemon {

ConnectionTable::ConnectionTable(std::size_t capacity) : capacity_(capacity) {
  deadlines_.resize(capacity);
}

Place* ConnectionTable::add(std::unique_ptr<Connection> connection) {
  if (free_.empty()) {
    if (places_.size() == capacity_) return nullptr;
    const auto slot = static_cast<Slot>(places_.size());
    places_.emplace_back().slot = slot;
    free_.push_back(slot);
  }
  Place& place = places_[free_.back()];
  free_.pop_back();
  place.connection = std::move(connection);
  return &place;
}

void ConnectionTable::remove(Place& place) {
  deadlines_.clear(place.slot);
  place.connection.reset();
  place.is_admitted = false;
  place.path.reset();
  free_.push_back(place.slot);
}

Place* ConnectionTable::find(session::ConnectionId id) noexcept {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &places_[found->second];
}

void ConnectionTable::update_deadline(const Place& place) noexcept {
  if (const auto due = place.connection->deadline()) {
    deadlines_.set(place.slot, *due);
  } else {
    deadlines_.clear(place.slot);
  }
}

}  // namespace runnel::daemon
