// Memory that a crowd has left behind goes back to the machine.
#pragma once

#include <algorithm>
#include <cstddef>

namespace runnel::daemon {

/// The allocator keeps what is freed for the next crowd. Asked now and then, in a quiet moment,
/// since giving memory back takes milliseconds.
class MemoryReturn {
 public:
  /// Fewer that have gone are not worth the pause.
  static constexpr std::size_t kCrowd = 500;

  /// `present`: connections now. True when so many have gone since the last time that what they had
  /// has been given back.
  bool look_at(std::size_t present) noexcept;

 private:
  std::size_t most_ = 0;  // since memory was last given back
};

}  // namespace runnel::daemon
