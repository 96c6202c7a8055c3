#include "core/relay/retransmission_buffer.h"

#include <bit>

#include "core/base/check.h"

namespace runnel::relay {

RetransmissionBuffer::RetransmissionBuffer(std::size_t capacity) noexcept : capacity_(capacity) {
  RUNNEL_CHECK(capacity == 0 || (std::has_single_bit(capacity) && capacity <= kMaxCapacity));
}

void RetransmissionBuffer::store(const StoredPacket& packet) {
  if (capacity_ == 0 || packet.bytes.empty() || packet.bytes.size() > kMaxPacketSize) return;
  if (slots_.empty()) {
    slots_.resize(capacity_);
    bytes_.resize(capacity_ * kMaxPacketSize);
  }
  const std::size_t index = index_of(packet.place.position);
  Slot& slot = slots_[index];
  if (slot.size != 0 && slot.position > packet.place.position) return;
  slot = {.position = packet.place.position,
          .timestamp = packet.place.timestamp,
          .size = static_cast<std::uint16_t>(packet.bytes.size()),
          .header_size = packet.header_size,
          .payload_size = packet.payload_size,
          .extensions = packet.extensions};
  copy_bytes(ByteSpan(bytes_).subspan(index * kMaxPacketSize, kMaxPacketSize), packet.bytes);
}

std::optional<StoredPacket> RetransmissionBuffer::find(std::uint64_t position) const noexcept {
  if (slots_.empty()) return std::nullopt;
  const std::size_t index = index_of(position);
  const Slot& slot = slots_[index];
  if (slot.size == 0 || slot.position != position) return std::nullopt;
  return StoredPacket{.bytes = ByteView(bytes_).subspan(index * kMaxPacketSize, slot.size),
                      .header_size = slot.header_size,
                      .payload_size = slot.payload_size,
                      .place = {slot.position, slot.timestamp},
                      .extensions = slot.extensions};
}

void RetransmissionBuffer::clear() noexcept {
  slots_ = std::vector<Slot>();
  bytes_ = std::vector<std::uint8_t>();
}

std::size_t RetransmissionBuffer::memory() const noexcept {
  return bytes_.capacity() + slots_.capacity() * sizeof(Slot);
}

}  // namespace runnel::relay
