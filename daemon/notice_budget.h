// How often the log says what anybody can bring about.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/time.h"

namespace runnel::daemon {

/// So many lines in each minute; what is more is counted, for a line at the next one that is said.
class NoticeBudget {
 public:
  static constexpr Duration kPeriod = std::chrono::minutes(1);

  explicit NoticeBudget(std::uint32_t lines) noexcept : lines_(lines) {}

  /// How many were left out since the last line that was said; nullopt: this one is left out too.
  [[nodiscard]] std::optional<std::uint64_t> may_say(Timestamp now) noexcept {
    if (!begun_ || now - *begun_ >= kPeriod) {
      begun_ = now;
      said_ = 0;
    }
    if (said_ == lines_) {
      ++left_out_;
      return std::nullopt;
    }
    ++said_;
    const std::uint64_t left_out = left_out_;
    left_out_ = 0;
    return left_out;
  }

 private:
  std::uint32_t lines_;
  std::optional<Timestamp> begun_;
  std::uint32_t said_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace runnel::daemon
