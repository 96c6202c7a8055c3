#include "core/base/secret.h"

#include <cstring>

namespace runnel {

void wipe(void* memory, std::size_t size) noexcept {
  std::memset(memory, 0, size);
  // The empty statement claims to read the memory, so the store above cannot be dropped as dead.
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace runnel
