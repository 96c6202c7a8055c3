// What each form of the command line does, apart from relaying.
#pragma once

#include <vector>

#include "config/loader.h"
#include "daemon/command_line.h"
#include "daemon/exit_codes.h"

namespace runnel::daemon {

/// Prints a summary, or everything that is wrong.
[[nodiscard]] ExitCode check(const CheckCommand& command);
/// Prints the session description, or why there is none.
[[nodiscard]] ExitCode describe(const DescribeCommand& command);

/// One line for each on standard error, and how many there are.
void print_problems(const std::vector<config::Problem>& problems);

}  // namespace runnel::daemon
