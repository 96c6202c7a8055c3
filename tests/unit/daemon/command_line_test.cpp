// Each option does what --help says, and each mistake gets a sentence that helps.
#include "daemon/command_line.h"

#include <gmock/gmock.h>
#include <initializer_list>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

using testing::HasSubstr;

std::expected<Command, std::string> parse(std::initializer_list<std::string> arguments) {
  const std::vector<std::string> list(arguments);
  return parse_command_line(list);
}

template <typename Wanted>
Wanted parse_as(std::initializer_list<std::string> arguments) {
  const auto command = parse(arguments);
  if (!command) {
    ADD_FAILURE() << command.error();
    return {};
  }
  return std::get<Wanted>(*command);
}

std::string complaint(std::initializer_list<std::string> arguments) {
  const auto command = parse(arguments);
  return command ? "(no complaint)" : command.error();
}

TEST(CommandLine, RunsWithTheDefaultConfiguration) {
  const auto run = parse_as<RunCommand>({});
  EXPECT_EQ(run.config_file, "/etc/runnel/runnel.yaml");
  EXPECT_FALSE(run.log_level);
}

TEST(CommandLine, TakesAConfigurationInEachSpelling) {
  EXPECT_EQ(parse_as<RunCommand>({"--config", "a.yaml"}).config_file, "a.yaml");
  EXPECT_EQ(parse_as<RunCommand>({"--config=a.yaml"}).config_file, "a.yaml");
  EXPECT_EQ(parse_as<RunCommand>({"-c", "a.yaml"}).config_file, "a.yaml");
}

TEST(CommandLine, TakesALogLevel) {
  EXPECT_EQ(parse_as<RunCommand>({"--log-level", "debug"}).log_level, config::LogLevel::debug);
  EXPECT_EQ(parse_as<RunCommand>({"--log-level=error"}).log_level, config::LogLevel::error);
}

TEST(CommandLine, ChecksAFile) {
  EXPECT_EQ(parse_as<CheckCommand>({"--check", "a.yaml"}).config_file, "a.yaml");
}

TEST(CommandLine, DescribesAnOutput) {
  const auto first = parse_as<DescribeCommand>({"--sdp", "camera-1"});
  EXPECT_EQ(first.stream, "camera-1");
  EXPECT_EQ(first.output, 0u);
  EXPECT_EQ(first.config_file, "/etc/runnel/runnel.yaml");
  const auto second = parse_as<DescribeCommand>({"--config", "a.yaml", "--sdp", "camera-1/2"});
  EXPECT_EQ(second.stream, "camera-1");
  EXPECT_EQ(second.output, 1u);
  EXPECT_EQ(second.config_file, "a.yaml");
}

TEST(CommandLine, AsksForHealth) {
  EXPECT_EQ(parse_as<HealthCommand>({"--health"}).config_file, "/etc/runnel/runnel.yaml");
  EXPECT_EQ(parse_as<HealthCommand>({"--health", "-c", "a.yaml"}).config_file, "a.yaml");
}

TEST(CommandLine, ShowsHelpAndVersionWhateverElseIsGiven) {
  parse_as<HelpCommand>({"--help"});
  parse_as<HelpCommand>({"-h"});
  parse_as<HelpCommand>({"--config", "a.yaml", "--help", "nonsense"});
  parse_as<VersionCommand>({"--version"});
  parse_as<VersionCommand>({"-V"});
}

TEST(CommandLine, NamesAnUnknownOption) {
  EXPECT_THAT(complaint({"--confog", "a.yaml"}), HasSubstr("--confog"));
  EXPECT_EQ(complaint({"-x"}), "unknown option -x");
}

TEST(CommandLine, AsksForAMissingValue) {
  EXPECT_EQ(complaint({"--config"}), "--config needs a value");
  EXPECT_EQ(complaint({"-c"}), "-c needs a value");
}

TEST(CommandLine, RefusesAValueWhereThereIsNone) {
  EXPECT_EQ(complaint({"--help=yes"}), "--help=yes: this option takes no value");
}

TEST(CommandLine, ListsTheLogLevels) {
  EXPECT_EQ(complaint({"--log-level", "loud"}),
            "--log-level 'loud' is none of trace, debug, info, warning, error");
}

TEST(CommandLine, TellsHowAConfigurationIsGiven) {
  EXPECT_EQ(complaint({"a.yaml"}),
            "unexpected argument 'a.yaml'; a configuration is given with --config FILE");
}

TEST(CommandLine, RefusesWhatContradictsItself) {
  EXPECT_THAT(complaint({"--check", "a", "--sdp", "b"}), HasSubstr("give one of them"));
  EXPECT_THAT(complaint({"--health", "--sdp", "b"}), HasSubstr("give one of them"));
  EXPECT_THAT(complaint({"--check", "a", "--config", "b"}), HasSubstr("leave --config out"));
}

TEST(CommandLine, TellsHowAnOutputIsNamed) {
  for (const char* name : {"", "camera-1/", "camera-1/0", "camera-1/x", "/1"}) {
    EXPECT_THAT(complaint({"--sdp", name}), HasSubstr("STREAM/N with N from 1 on")) << name;
  }
}

TEST(CommandLine, ExplainsEachOptionAndEachExitStatusInTheHelp) {
  for (const char* word : {"--config", "--check", "--sdp", "--log-level", "--help", "--version",
                           "SIGTERM", "SIGUSR1", " 0 ", "64", "70", "71", "78"}) {
    EXPECT_THAT(std::string(help_text()), HasSubstr(word));
  }
}

}  // namespace
}  // namespace runnel::daemon
