// runneld: the program's entry point.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "daemon/application.h"
#include "daemon/command_line.h"
#include "daemon/commands.h"
#include "daemon/health_check.h"
#include "daemon/version.h"

namespace runnel::daemon {
namespace {

struct Execute {
  ExitCode operator()(const RunCommand& command) const { return run(command); }
  ExitCode operator()(const CheckCommand& command) const { return check(command); }
  ExitCode operator()(const DescribeCommand& command) const { return describe(command); }
  ExitCode operator()(const HealthCommand& command) const { return check_health(command); }
  ExitCode operator()(const HelpCommand&) const {
    std::fputs(help_text().data(), stdout);
    return ExitCode::ok;
  }
  ExitCode operator()(const VersionCommand&) const {
    std::printf("runneld %s\n", version().data());
    return ExitCode::ok;
  }
};

ExitCode execute(const std::vector<std::string>& arguments) {
  const auto command = parse_command_line(arguments);
  if (command) return std::visit(Execute{}, *command);
  std::fprintf(stderr, "runneld: %s\nTry 'runneld --help'.\n", command.error().c_str());
  return ExitCode::usage;
}

}  // namespace
}  // namespace runnel::daemon

int main(int argc, char** argv) {
  using runnel::daemon::ExitCode;
  try {
    return static_cast<int>(runnel::daemon::execute({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "runneld: bug: %s\n", error.what());
    return static_cast<int>(ExitCode::internal);
  }
}
