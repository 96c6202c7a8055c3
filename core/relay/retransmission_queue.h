// Packets that receivers have asked for again, until they are sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace runnel::relay {

/// First in, first out, with a bound over all receivers: what does not fit is not sent again.
/// Allocates only while it grows to its bound.
class RetransmissionQueue {
 public:
  struct Entry {
    std::uint32_t receiver = 0;         // index of a ReceiverTrack
    std::uint16_t sequence_number = 0;  // as the receiver saw it
  };

  explicit RetransmissionQueue(std::size_t limit) : limit_(limit) { entries_.reserve(limit); }

  /// False when there is no room.
  [[nodiscard]] bool add(const Entry& entry) noexcept {
    if (entries_.size() == limit_) return false;
    entries_.push_back(entry);
    return true;
  }
  [[nodiscard]] std::optional<Entry> next() noexcept {
    if (next_ == entries_.size()) {
      entries_.clear();
      next_ = 0;
      return std::nullopt;
    }
    return entries_[next_++];
  }
  [[nodiscard]] bool empty() const noexcept { return next_ == entries_.size(); }

 private:
  std::size_t limit_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

}  // namespace runnel::relay
