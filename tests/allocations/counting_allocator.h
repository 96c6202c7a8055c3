// Counts what this test program allocates, by replacing operator new.
#pragma once

#include <cstddef>

namespace runnel::test {

/// Since the start of the program, in all threads.
[[nodiscard]] std::size_t allocation_count() noexcept;

}  // namespace runnel::test
