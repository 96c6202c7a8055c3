// Counts what operator new and malloc are asked for in this program and the libraries it has
// loaded, such as libuv and OpenSSL.
#pragma once

#include <cstdint>

namespace runnel::daemon {

/// Whether operator new counts; not under ThreadSanitizer.
[[nodiscard]] bool new_is_counted() noexcept;
/// Whether malloc, calloc and realloc count; not under AddressSanitizer or ThreadSanitizer.
[[nodiscard]] bool malloc_is_counted() noexcept;

/// Allocations of this thread so far.
[[nodiscard]] std::uint64_t allocations_of_this_thread() noexcept;

}  // namespace runnel::daemon
