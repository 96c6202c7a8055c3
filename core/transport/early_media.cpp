#include "core/transport/early_media.h"

namespace runnel::transport {

EarlyMedia::EarlyMedia(std::size_t capacity, std::size_t of_one)
    : of_one_(of_one), store_(capacity) {
  for (Taken& taken : taken_) taken.views.reserve(capacity);
}

bool EarlyMedia::hold(DatagramList& list, const Path& path, ByteView datagram) noexcept {
  return list.size() < of_one_ && store_.append(list, path, datagram);
}

std::span<const EarlyDatagram> EarlyMedia::take() noexcept {
  Taken& taken = taken_[turn_];
  turn_ = 1 - turn_;
  store_.clear(taken.list);
  taken.views.clear();
  store_.move_all(released_, taken.list);
  store_.for_each(taken.list, [&taken](const Path& path, ByteSpan bytes) {
    taken.views.push_back({.path = path, .bytes = bytes});
  });
  return taken.views;
}

}  // namespace runnel::transport
