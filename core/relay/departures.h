// Relays and receiver legs that have been removed, and whose numbers are still their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runnel::relay {

struct Departed {
  enum class Kind : std::uint8_t { relay, leg };
  Kind kind = Kind::relay;
  std::uint32_t index = 0;  // in EngineState::relays or legs
};

/// Events may still speak of a number when its bearer is gone. So it is given again only after all
/// events up to its end have been taken, and after that, so that whoever took them can still look
/// up names.
class Departures {
 public:
  void add(Departed departed) { departed_.push_back(departed); }
  /// All events of those in here have been taken.
  void told() noexcept { told_ = departed_.size(); }
  [[nodiscard]] bool empty() const noexcept { return departed_.empty(); }

  /// Calls `bury` with each of whom has been told, in the order in which they were removed.
  template <typename Bury>
  void bury_told(Bury bury) {
    if (told_ == 0) return;
    for (const Departed& departed : std::span(departed_).first(told_)) bury(departed);
    departed_.erase(departed_.begin(), departed_.begin() + static_cast<std::ptrdiff_t>(told_));
    told_ = 0;
    if (departed_.empty()) departed_ = {};
  }

 private:
  std::vector<Departed> departed_;
  std::size_t told_ = 0;  // from the front
};

}  // namespace runnel::relay
