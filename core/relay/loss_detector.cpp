#include "core/relay/loss_detector.h"

#include <algorithm>

namespace runnel::relay {
namespace {

constexpr Duration kMinRetryInterval = std::chrono::milliseconds(50);
constexpr Duration kMaxRetryInterval = std::chrono::milliseconds(100);

}  // namespace

bool LossDetector::received(std::uint16_t sequence_number, Timestamp now) noexcept {
  const auto newest = line_.highest();
  const std::uint64_t position = line_.unwrap(sequence_number);
  if (!newest || position == *newest + 1) return true;
  if (position > *newest) return note_gap(*newest + 1, position, now);
  recovered(position);
  return true;
}

bool LossDetector::note_gap(std::uint64_t first, std::uint64_t end, Timestamp now) noexcept {
  if (end - first > kMaxMissing - count_) {
    count_ = 0;
    return false;
  }
  for (std::uint64_t position = first; position < end; ++position) {
    missing_[count_++] = {
        .position = position, .since = now, .due = now + settings_.reorder_delay, .tries = 0};
  }
  return true;
}

void LossDetector::recovered(std::uint64_t position) noexcept {
  const auto end = missing_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::ranges::lower_bound(missing_.begin(), end, position, {},
                                              [](const Missing& m) { return m.position; });
  if (found == end || found->position != position) return;
  std::move(found + 1, end, found);
  --count_;
}

void LossDetector::set_round_trip(Duration round_trip) noexcept {
  settings_.retry_interval = std::clamp(round_trip, kMinRetryInterval, kMaxRetryInterval);
}

void LossDetector::restart() noexcept {
  line_.reset();
  count_ = 0;
}

std::optional<Timestamp> LossDetector::next_deadline() const noexcept {
  std::optional<Timestamp> next;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!next || missing_[i].due < *next) next = missing_[i].due;
  }
  return next;
}

LossDetector::Due LossDetector::take_due(Timestamp now, std::span<std::uint16_t> out) noexcept {
  Due due;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    Missing missing = missing_[i];
    if (missing.due <= now) {
      if (missing.tries >= settings_.max_tries || now - missing.since >= settings_.max_age) {
        ++due.given_up;
        continue;
      }
      if (due.count < out.size()) {
        out[due.count++] = static_cast<std::uint16_t>(missing.position);
        ++missing.tries;
        missing.due = now + settings_.retry_interval;
      }
    }
    missing_[kept++] = missing;
  }
  count_ = kept;
  return due;
}

}  // namespace runnel::relay
