// Replaces operator new and delete of this test program by counting ones, and malloc, calloc and
// realloc too, which the C libraries ask; a sanitizer needs those for itself and keeps them.
#include "tests/unit/daemon/allocation_counter.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RUNNEL_COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define RUNNEL_COUNTS_MALLOC 0
#endif
#endif
#ifndef RUNNEL_COUNTS_MALLOC
#define RUNNEL_COUNTS_MALLOC 1
#endif

namespace {

thread_local std::uint64_t allocation_count = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocation_count;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace runnel::daemon {

bool malloc_is_counted() noexcept {
  return RUNNEL_COUNTS_MALLOC != 0;
}

std::uint64_t allocations_of_this_thread() noexcept {
  return allocation_count;
}

}  // namespace runnel::daemon

void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

#if RUNNEL_COUNTS_MALLOC
// free stays glibc's: all memory is.
extern "C" {

void* __libc_malloc(std::size_t size) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_realloc(void* memory, std::size_t size) noexcept;

void* malloc(std::size_t size) noexcept {
  ++allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_realloc(memory, size);
}

}  // extern "C"
#endif
