// Replaces operator new and delete of this test program by counting ones, and malloc, calloc and
// realloc too, which the C libraries ask. AddressSanitizer keeps the latter for itself, and
// ThreadSanitizer all of them.
#include "tests/unit/daemon/allocation_counter.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RUNNEL_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define RUNNEL_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define RUNNEL_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define RUNNEL_THREAD_SANITIZER
#endif

namespace {

thread_local std::uint64_t allocation_count = 0;

#if defined(RUNNEL_THREAD_SANITIZER)
constexpr bool kCountsNew = false;
constexpr bool kCountsMalloc = false;
#else
constexpr bool kCountsNew = true;
#if defined(RUNNEL_ADDRESS_SANITIZER)
constexpr bool kCountsMalloc = false;
#else
constexpr bool kCountsMalloc = true;
#endif

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocation_count;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
#endif

}  // namespace

namespace runnel::daemon {

bool new_is_counted() noexcept {
  return kCountsNew;
}
bool malloc_is_counted() noexcept {
  return kCountsMalloc;
}

std::uint64_t allocations_of_this_thread() noexcept {
  return allocation_count;
}

}  // namespace runnel::daemon

#if !defined(RUNNEL_THREAD_SANITIZER)
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
#endif

#if !defined(RUNNEL_ADDRESS_SANITIZER) && !defined(RUNNEL_THREAD_SANITIZER)
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
