// What the person who starts runneld wants of it.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "config/config.h"

namespace runnel::daemon {

inline constexpr std::string_view kDefaultConfigFile = "/etc/runnel/runnel.yaml";

/// Relay until a signal ends it.
struct RunCommand {
  std::string config_file{kDefaultConfigFile};
  std::optional<config::LogLevel> log_level;  // instead of the configured one
};
/// Check a configuration and print what it would do.
struct CheckCommand {
  std::string config_file;
};
/// Print the session description that a receiver of a configured output needs.
struct DescribeCommand {
  std::string config_file{kDefaultConfigFile};
  std::string stream;
  std::size_t output = 0;  // index into Relay::to
};
/// Tell whether the runneld that uses this configuration is alive.
struct HealthCommand {
  std::string config_file{kDefaultConfigFile};
};
struct HelpCommand {};
struct VersionCommand {};

using Command = std::variant<RunCommand, CheckCommand, DescribeCommand, HealthCommand, HelpCommand,
                             VersionCommand>;

/// `arguments` are those behind the program's name. The error is one sentence for the person. Not
/// reentrant (getopt is not).
[[nodiscard]] std::expected<Command, std::string> parse_command_line(
    std::span<const std::string> arguments);

/// The text of --help.
[[nodiscard]] std::string_view help_text() noexcept;

}  // namespace runnel::daemon
