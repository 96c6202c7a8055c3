// What the system lets one process have.
#pragma once

#include <cstddef>

namespace runnel::daemon {

/// Raises the soft limit of open descriptors to the hard one: each UDP port takes one, and the
/// usual 1,024 is an old custom rather than a need. How many may be open now.
std::size_t raise_open_file_limit() noexcept;

}  // namespace runnel::daemon
