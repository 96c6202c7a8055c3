#include "daemon/commands.h"

#include <cstdio>

#include "config/session_description.h"
#include "config/summary.h"
#include "daemon/clock.h"
#include "daemon/signalling/certificate.h"
#include "daemon/webrtc_setup.h"

namespace runnel::daemon {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

ExitCode check(const CheckCommand& command) {
  const auto loaded = config::load_file(command.config_file);
  if (!loaded) {
    print_problems(loaded.error());
    return ExitCode::configuration;
  }
  if (loaded->config.tls) {
    const auto context = load_certificate(*loaded->config.tls, read_wall_clock() / 1'000'000);
    if (!context) {
      print_problems({context.error()});
      return ExitCode::configuration;
    }
  }
  if (serves_webrtc(loaded->config)) {
    if (const auto certificate = load_dtls_certificate(loaded->config); !certificate) {
      print_problems({certificate.error()});
      return ExitCode::configuration;
    }
  }
  print(config::summary(*loaded));
  return ExitCode::ok;
}

ExitCode describe(const DescribeCommand& command) {
  const auto loaded = config::load_file(command.config_file);
  if (!loaded) {
    print_problems(loaded.error());
    return ExitCode::configuration;
  }
  const auto description =
      config::session_description(loaded->config, command.stream, command.output);
  if (!description) {
    std::fprintf(stderr, "runneld: %s\n", description.error().c_str());
    return ExitCode::configuration;
  }
  print(*description);
  return ExitCode::ok;
}

void print_problems(const std::vector<config::Problem>& problems) {
  for (const config::Problem& problem : problems) {
    std::fprintf(stderr, "%s\n", problem.to_string().c_str());
  }
  std::fprintf(stderr, "runneld: %zu error%s in the configuration; nothing was started\n",
               problems.size(), problems.size() == 1 ? "" : "s");
}

}  // namespace runnel::daemon
