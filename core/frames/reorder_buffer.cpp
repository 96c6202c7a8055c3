#include "core/frames/reorder_buffer.h"

#include <algorithm>

#include "core/base/serial_number.h"

namespace runnel::frames {
namespace {

// So many packets in a row that all come too late are no stragglers but a source that began anew.
constexpr std::size_t kMinLateInARow = 32;

}  // namespace

ReorderBuffer::ReorderBuffer(std::size_t window, std::uint32_t max_wait)
    : window_(std::max<std::size_t>(window, 1)), max_wait_(max_wait), slots_(2 * window_) {}

bool ReorderBuffer::put(const rtp::RtpPacketView& packet) {
  const std::uint16_t sequence_number = packet.sequence_number();
  const std::uint64_t position = line_.peek(sequence_number);
  if (!line_.highest()) next_ = newest_ = position;

  const bool is_late = position < next_;
  if (is_late && ++late_in_a_row_ < std::max(window_, kMinLateInARow)) return false;
  if (is_late || position - next_ >= slots_.size()) {
    if (beyond_) release(*beyond_);
    beyond_ = hold(packet);
    beyond_sequence_number_ = sequence_number;
    late_in_a_row_ = 0;
    return true;
  }

  if (slot(position).buffer != kEmpty) return false;
  slot(position) = hold(packet);
  line_.unwrap(sequence_number);
  newest_ = std::max(newest_, position);
  late_in_a_row_ = 0;
  ++held_;
  return true;
}

std::optional<HeldPacket> ReorderBuffer::front() const noexcept {
  const Slot& first = slot(next_);
  if (first.buffer == kEmpty) return std::nullopt;
  return HeldPacket{first.marker, first.timestamp, buffers_[first.buffer]};
}

void ReorderBuffer::pop() noexcept {
  release(slot(next_));
  ++next_;
  --held_;
}

bool ReorderBuffer::overdue() const noexcept {
  if (beyond_) return true;
  if (held_ == 0) return false;
  if (newest_ - next_ >= window_) return true;
  const std::int32_t waited =
      serial_distance(slot(oldest()).timestamp.value, slot(newest_).timestamp.value);
  return waited >= 0 && static_cast<std::uint32_t>(waited) >= max_wait_;
}

std::uint64_t ReorderBuffer::give_up() noexcept {
  if (held_ != 0) {
    const std::uint64_t first = oldest();
    const std::uint64_t missing = first - next_;
    next_ = first;
    return missing;
  }
  if (!beyond_) return 0;
  const std::uint64_t position = line_.peek(beyond_sequence_number_);
  const std::uint64_t missing = position > next_ ? position - next_ : 1;
  line_.reset();
  next_ = newest_ = line_.unwrap(beyond_sequence_number_);
  slot(next_) = *beyond_;
  beyond_.reset();
  held_ = 1;
  return missing;
}

void ReorderBuffer::clear() noexcept {
  for (Slot& held : slots_) release(held);
  if (beyond_) release(*beyond_);
  beyond_.reset();
  line_.reset();
  held_ = 0;
  late_in_a_row_ = 0;
}

ReorderBuffer::Slot ReorderBuffer::hold(const rtp::RtpPacketView& packet) {
  if (free_buffers_.empty()) {
    free_buffers_.push_back(static_cast<std::uint32_t>(buffers_.size()));
    buffers_.emplace_back();
  }
  const std::uint32_t buffer = free_buffers_.back();
  free_buffers_.pop_back();
  const ByteView payload = packet.payload();
  buffers_[buffer].assign(payload.begin(), payload.end());
  return {.buffer = buffer, .marker = packet.marker(), .timestamp = packet.timestamp()};
}

void ReorderBuffer::release(Slot& slot) noexcept {
  if (slot.buffer == kEmpty) return;
  free_buffers_.push_back(slot.buffer);
  slot.buffer = kEmpty;
}

std::uint64_t ReorderBuffer::oldest() const noexcept {
  std::uint64_t position = next_;
  while (slot(position).buffer == kEmpty) ++position;
  return position;
}

}  // namespace runnel::frames
