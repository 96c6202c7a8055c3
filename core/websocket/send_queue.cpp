#include "core/websocket/send_queue.h"

#include <algorithm>

namespace runnel::websocket {
namespace {

constexpr std::size_t kSmallestRing = 1024;

/// How full the queue may become with a message of this kind.
std::size_t share_of(MessageClass kind, std::size_t max_bytes) noexcept {
  switch (kind) {
    case MessageClass::media:
      return max_bytes / 4 * 3;
    case MessageClass::statistics:
      return max_bytes / 8 * 7;
    case MessageClass::signalling:
      return max_bytes - std::min(max_bytes / 8, SendQueue::kControlReserve);
    case MessageClass::control:
      break;
  }
  return max_bytes;
}

}  // namespace

SendQueue::SendQueue(const SendQueueLimits& limits) noexcept : limits_(limits) {}

Admission SendQueue::admission(MessageClass kind, std::size_t size) noexcept {
  const std::size_t share = share_of(kind, limits_.max_bytes);
  if (size_ <= share && size <= share - size_) return Admission::accepted;
  switch (kind) {
    case MessageClass::media:
      ++counters_.refused_media;
      return Admission::refused;
    case MessageClass::statistics:
      ++counters_.discarded_statistics;
      return Admission::discarded;
    default:
      ++counters_.overflows;
      return Admission::overflow;
  }
}

void SendQueue::append(MessageClass kind, std::span<const ByteView> parts, std::size_t sent) {
  const std::size_t left = total_size(parts) - sent;
  if (left == 0) return;
  if (capacity_ - size_ < left) grow(size_ + left);
  for (ByteView part : parts) {
    const std::size_t skipped = std::min(sent, part.size());
    sent -= skipped;
    put(part.subspan(skipped));
  }
  if (kind == MessageClass::control) control_left_ = size_;
  counters_.most_bytes = std::max(counters_.most_bytes, size_);
}

Admission SendQueue::offer(MessageClass kind, std::span<const ByteView> parts) {
  const Admission answer = admission(kind, total_size(parts));
  if (answer == Admission::accepted) append(kind, parts);
  return answer;
}

std::size_t SendQueue::gather(std::span<ByteView> out) const noexcept {
  if (size_ == 0 || out.empty()) return 0;
  const std::size_t first = std::min(size_, capacity_ - head_);
  out[0] = {ring_.get() + head_, first};
  if (first == size_ || out.size() < 2) return 1;
  out[1] = {ring_.get(), size_ - first};
  return 2;
}

void SendQueue::consumed(std::size_t bytes) noexcept {
  size_ -= bytes;
  control_left_ -= std::min(control_left_, bytes);
  head_ += bytes;
  if (head_ >= capacity_) head_ -= capacity_;
  if (size_ != 0) return;
  head_ = 0;
  if (capacity_ > limits_.kept_bytes) {
    ring_.reset();
    capacity_ = 0;
  }
}

void SendQueue::grow(std::size_t needed) {
  const std::size_t doubled = std::max(2 * capacity_, kSmallestRing);
  const std::size_t capacity = std::max(needed, std::min(doubled, limits_.max_bytes));
  auto ring = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
  std::array<ByteView, 2> waiting;
  std::size_t copied = 0;
  for (const ByteView part : std::span(waiting).first(gather(waiting))) {
    copy_bytes({ring.get() + copied, capacity - copied}, part);
    copied += part.size();
  }
  ring_ = std::move(ring);
  capacity_ = capacity;
  head_ = 0;
}

void SendQueue::put(ByteView bytes) noexcept {
  std::size_t tail = head_ + size_;
  if (tail >= capacity_) tail -= capacity_;
  const std::size_t first = std::min(bytes.size(), capacity_ - tail);
  copy_bytes({ring_.get() + tail, first}, bytes.first(first));
  copy_bytes({ring_.get(), capacity_}, bytes.subspan(first));
  size_ += bytes.size();
}

}  // namespace runnel::websocket
