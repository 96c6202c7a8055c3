#include "core/transport/datagram_store.h"

namespace runnel::transport {

DatagramStore::DatagramStore(std::size_t capacity) : slab_(capacity), places_(capacity) {
  free_.reserve(capacity);
  // The first place is the first to be given.
  for (std::size_t i = capacity; i > 0; --i) free_.push_back(static_cast<std::uint32_t>(i - 1));
}

bool DatagramStore::append(DatagramList& list, const Path& path, ByteView bytes) noexcept {
  if (free_.empty() || bytes.size() > kPacketCapacity) return false;
  const std::uint32_t place = free_.back();
  free_.pop_back();
  places_[place] = {.path = path, .size = static_cast<std::uint32_t>(bytes.size()), .next = 0};
  copy_bytes(slab_.slot(place), bytes);
  link(list, place);
  return true;
}

void DatagramStore::move_all(DatagramList& from, DatagramList& to) noexcept {
  if (from.empty()) return;
  if (to.empty()) {
    to.first_ = from.first_;
  } else {
    places_[to.last_].next = from.first_;
  }
  to.last_ = from.last_;
  to.size_ += from.size_;
  from = DatagramList();
}

void DatagramStore::move_front(DatagramList& from, DatagramList& to) noexcept {
  link(to, unlink_front(from));
}

ByteSpan DatagramStore::front_bytes(const DatagramList& list) noexcept {
  return slab_.slot(list.first_).first(places_[list.first_].size);
}

const Path& DatagramStore::front_path(const DatagramList& list) const noexcept {
  return places_[list.first_].path;
}

void DatagramStore::pop_front(DatagramList& list) noexcept {
  free_.push_back(unlink_front(list));
}

void DatagramStore::clear(DatagramList& list) noexcept {
  while (!list.empty()) pop_front(list);
}

void DatagramStore::link(DatagramList& list, std::uint32_t place) noexcept {
  (list.empty() ? list.first_ : places_[list.last_].next) = place;
  list.last_ = place;
  ++list.size_;
}

std::uint32_t DatagramStore::unlink_front(DatagramList& list) noexcept {
  const std::uint32_t place = list.first_;
  list.first_ = places_[place].next;
  --list.size_;
  return place;
}

}  // namespace runnel::transport
