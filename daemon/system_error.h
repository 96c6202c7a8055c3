// What the kernel has refused.
#pragma once

#include <string_view>

namespace runnel::daemon {

/// An errno and the call that gave it.
struct SystemError {
  int code = 0;
  std::string_view operation;  // a literal: "bind"
};

}  // namespace runnel::daemon
