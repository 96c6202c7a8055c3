#include "core/relay/burst.h"

#include "core/base/serial_number.h"

namespace runnel::relay {

void Burst::resize_tracks(std::size_t tracks) {
  chains_.resize(tracks);
  active_.reserve(tracks);
}

void Burst::add(std::uint32_t track, const ClearPacket& packet) noexcept {
  const auto index = static_cast<std::uint32_t>(links_.size());
  links_.emplace_back(packet, kEnd);
  Chain& chain = chains_[track];
  if (chain.count == 0) {
    chain.first = index;
    active_.push_back(track);
  } else {
    links_[chain.last].next = index;
  }
  const RtpTime timestamp = packet.place.timestamp;
  if (chain.count == 0 || serial_after(timestamp.value, chain.newest.value)) {
    chain.newest = timestamp;
  }
  chain.last = index;
  ++chain.count;
}

void Burst::clear() noexcept {
  for (const std::uint32_t track : active_) chains_[track] = {};
  active_.clear();
  links_.clear();
}

}  // namespace runnel::relay
