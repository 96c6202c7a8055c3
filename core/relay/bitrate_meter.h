// How many bits per second something brings, over the last second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/time.h"

namespace runnel::relay {

/// A sliding window of one second in steps of 50 ms. Times must not run back; what they do run back
/// counts as now. Never allocates.
class BitrateMeter {
 public:
  static constexpr Duration kWindow = std::chrono::seconds(1);

  void add(std::size_t bytes, Timestamp now) noexcept {
    advance(now);
    buckets_[static_cast<std::size_t>(step_) % kSteps] += bytes;
    sum_ += bytes;
  }
  /// In the window that ends now. 0 a window after the last byte. Before a whole window has passed,
  /// the part of it that has, 50 ms at least, is what the bytes are divided by.
  [[nodiscard]] std::uint64_t bits_per_second(Timestamp now) noexcept {
    if (!begun_) return 0;
    advance(now);
    const std::int64_t steps = step_ - first_step_ + 1;
    const auto passed = static_cast<std::uint64_t>(steps < kSteps ? steps : kSteps);
    return sum_ * 8 * kSteps / passed;
  }

 private:
  static constexpr std::int64_t kSteps = 20;

  void advance(Timestamp now) noexcept {
    const std::int64_t step = now.time_since_epoch() / (kWindow / kSteps);
    if (!begun_ || step - step_ >= kSteps) {
      // After a whole window of silence, measuring begins anew.
      buckets_ = {};
      sum_ = 0;
      begun_ = true;
      step_ = first_step_ = step;
      return;
    }
    while (step_ < step) {
      ++step_;
      std::uint64_t& oldest = buckets_[static_cast<std::size_t>(step_) % kSteps];
      sum_ -= oldest;
      oldest = 0;
    }
  }

  std::array<std::uint64_t, kSteps> buckets_{};
  std::uint64_t sum_ = 0;
  std::int64_t step_ = 0;
  std::int64_t first_step_ = 0;
  bool begun_ = false;
};

}  // namespace runnel::relay
