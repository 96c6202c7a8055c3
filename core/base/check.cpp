#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace runnel {

void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "runnel: bug: %s does not hold at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace runnel
