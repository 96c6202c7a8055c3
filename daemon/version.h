// The version of this build.
#pragma once

#include <string_view>

namespace runnel::daemon {

[[nodiscard]] std::string_view version() noexcept;

}  // namespace runnel::daemon
