#include "daemon/memory_return.h"

#include <malloc.h>

namespace runnel::daemon {

bool MemoryReturn::look_at(std::size_t present) noexcept {
  most_ = std::max(most_, present);
  if (most_ - present < kCrowd) return false;
  most_ = present;
  malloc_trim(0);
  return true;
}

}  // namespace runnel::daemon
