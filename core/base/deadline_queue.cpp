#include "core/base/deadline_queue.h"

namespace runnel {

void DeadlineQueue::resize(std::size_t items) {
  if (items <= when_.size()) return;
  when_.resize(items);
  place_.resize(items, kAbsent);
  heap_.reserve(items);
}

void DeadlineQueue::set(std::uint32_t item, Timestamp when) noexcept {
  when_[item] = when;
  if (place_[item] == kAbsent) {
    heap_.push_back(item);
    place_[item] = static_cast<std::uint32_t>(heap_.size() - 1);
  }
  rise(place_[item]);
  sink(place_[item]);
}

void DeadlineQueue::clear(std::uint32_t item) noexcept {
  const std::uint32_t place = place_[item];
  if (place == kAbsent) return;
  place_[item] = kAbsent;
  const std::uint32_t last = heap_.back();
  heap_.pop_back();
  if (last == item) return;
  put(place, last);
  rise(place);
  sink(place_[last]);
}

std::optional<Timestamp> DeadlineQueue::earliest() const noexcept {
  if (heap_.empty()) return std::nullopt;
  return when_at(0);
}

std::optional<std::uint32_t> DeadlineQueue::take_due(Timestamp now) noexcept {
  if (heap_.empty() || when_at(0) > now) return std::nullopt;
  const std::uint32_t item = heap_.front();
  clear(item);
  return item;
}

void DeadlineQueue::put(std::size_t place, std::uint32_t item) noexcept {
  heap_[place] = item;
  place_[item] = static_cast<std::uint32_t>(place);
}

void DeadlineQueue::rise(std::size_t place) noexcept {
  const std::uint32_t item = heap_[place];
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (when_at(parent) <= when_[item]) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, item);
}

void DeadlineQueue::sink(std::size_t place) noexcept {
  const std::uint32_t item = heap_[place];
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && when_at(child + 1) < when_at(child)) ++child;
    if (when_[item] <= when_at(child)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, item);
}

}  // namespace runnel
