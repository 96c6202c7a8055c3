#include "daemon/command_line.h"

#include <algorithm>
#include <array>
#include <getopt.h>
#include <vector>

#include "config/session_description.h"

namespace runnel::daemon {
namespace {

constexpr std::string_view kHelp =
    R"(runneld relays live media between browsers, SRTP, RTP and WebSocket, as its configuration file
and its clients say.

Usage:
  runneld [--config FILE] [--log-level LEVEL]  relay until SIGTERM or SIGINT
  runneld --check FILE                         check a configuration, summarise its relays
  runneld --sdp STREAM[/N] [--config FILE]     print the SDP for a receiver of an output
  runneld --health [--config FILE]             tell whether the runneld of FILE is alive
  runneld --help | --version

Options:
  -c, --config FILE      the configuration; /etc/runnel/runnel.yaml without this option
      --check FILE       open no port; list everything that is wrong with FILE, or what it does
      --sdp STREAM[/N]   of the N-th entry of the stream's `to:`; the first without /N. The SDP
                         contains the key that the receiver needs: treat it as a secret
      --health           look, on this machine, whether a runneld with this configuration listens and
                         takes what arrives; sends nothing
      --log-level LEVEL  trace, debug, info, warning or error, instead of the configured level
  -h, --help             this text
  -V, --version          the version

Signals:
  SIGTERM, SIGINT  say goodbye to all receivers and end; a second one ends at once
  SIGUSR1          log the statistics of each stream now
  SIGHUP           read the TLS certificate of signalling again

Exit status:
   0  ended as asked; with --health: alive
   1  with --health: not alive
  64  the command line makes no sense
  70  a bug in runneld
  71  the machine does not allow it, such as a port that is in use
  78  the configuration is missing or wrong
)";

enum Option : int {
  kConfig = 'c',
  kHelpOption = 'h',
  kVersion = 'V',
  kCheck = 256,
  kSdp,
  kHealth,
  kLogLevel,
};

constexpr std::array<option, 8> kOptions{{
    {"config", required_argument, nullptr, kConfig},
    {"check", required_argument, nullptr, kCheck},
    {"sdp", required_argument, nullptr, kSdp},
    {"health", no_argument, nullptr, kHealth},
    {"log-level", required_argument, nullptr, kLogLevel},
    {"help", no_argument, nullptr, kHelpOption},
    {"version", no_argument, nullptr, kVersion},
    {nullptr, 0, nullptr, 0},
}};

struct Given {
  std::optional<std::string> config_file;
  std::optional<std::string> check;
  std::optional<std::string> sdp;
  bool health = false;
  std::optional<config::LogLevel> log_level;
};

std::optional<config::LogLevel> log_level_from_name(std::string_view name) {
  using enum config::LogLevel;
  constexpr std::array<std::pair<std::string_view, config::LogLevel>, 5> kLevels{
      {{"trace", trace}, {"debug", debug}, {"info", info}, {"warning", warning}, {"error", error}}};
  const auto* const found =
      std::ranges::find(kLevels, name, [](auto& level) { return level.first; });
  if (found == kLevels.end()) return std::nullopt;
  return found->second;
}

std::expected<Command, std::string> command_of(const Given& given) {
  if (given.check.has_value() + given.sdp.has_value() + given.health > 1) {
    return std::unexpected("--check, --sdp and --health are different things; give one of them");
  }
  if (given.check) {
    if (given.config_file) {
      return std::unexpected("--check names the file to check; leave --config out");
    }
    return CheckCommand{*given.check};
  }
  if (given.sdp) {
    const auto output = config::parse_output_name(*given.sdp);
    if (!output || output->stream.empty()) {
      return std::unexpected("--sdp '" + *given.sdp +
                             "': expected the name of a stream, or STREAM/N with N from 1 on");
    }
    return DescribeCommand{given.config_file.value_or(std::string(kDefaultConfigFile)),
                           std::string(output->stream), output->output};
  }
  if (given.health) {
    return HealthCommand{given.config_file.value_or(std::string(kDefaultConfigFile))};
  }
  RunCommand command;
  if (given.config_file) command.config_file = *given.config_file;
  command.log_level = given.log_level;
  return command;
}

// getopt reports what it dislikes through globals: optopt holds a short option or the value of a
// long one, optind points behind the argument.
std::string complaint(int kind, const std::vector<char*>& argv) {
  const std::string argument = argv[static_cast<std::size_t>(optind) - 1];
  if (kind == ':') return argument + " needs a value";
  if (optopt == 0) return "unknown or ambiguous option " + argument;
  const bool is_long = std::ranges::any_of(
      kOptions, [](const option& known) { return known.name != nullptr && known.val == optopt; });
  if (is_long) return argument + ": this option takes no value";
  return std::string("unknown option -") + static_cast<char>(optopt);
}

}  // namespace

std::string_view help_text() noexcept {
  return kHelp;
}

std::expected<Command, std::string> parse_command_line(std::span<const std::string> arguments) {
  std::vector<std::string> copies{"runneld"};
  copies.insert(copies.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& copy : copies) argv.push_back(copy.data());
  argv.push_back(nullptr);

  Given given;
  optind = 0;  // glibc: start afresh
  const int argc = static_cast<int>(copies.size());
  for (int choice = 0;
       (choice = ::getopt_long(argc, argv.data(), "+:c:hV", kOptions.data(), nullptr)) != -1;) {
    switch (choice) {
      case kConfig:
        given.config_file = optarg;
        break;
      case kCheck:
        given.check = optarg;
        break;
      case kSdp:
        given.sdp = optarg;
        break;
      case kHealth:
        given.health = true;
        break;
      case kHelpOption:
        return HelpCommand{};
      case kVersion:
        return VersionCommand{};
      case kLogLevel:
        given.log_level = log_level_from_name(optarg);
        if (!given.log_level) {
          return std::unexpected("--log-level '" + std::string(optarg) +
                                 "' is none of trace, debug, info, warning, error");
        }
        break;
      default:
        return std::unexpected(complaint(choice, argv));
    }
  }
  if (optind < argc) {
    return std::unexpected("unexpected argument '" +
                           std::string(argv[static_cast<std::size_t>(optind)]) +
                           "'; a configuration is given with --config FILE");
  }
  return command_of(given);
}

}  // namespace runnel::daemon
