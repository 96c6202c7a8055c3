// What a person and what a machine read.
#include "daemon/log.h"

#include <cmath>
#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

namespace runnel::daemon {
namespace {

using testing::MatchesRegex;

// Everything that `write` logs, once it has been written.
template <typename Write>
std::string logged(config::LogLevel level, config::LogFormat format, Write write) {
  std::ostringstream stream;
  {
    Log log(level, format, std::make_shared<spdlog::sinks::ostream_sink_mt>(stream));
    write(log);
  }
  return stream.str();
}

TEST(Log, WritesTextForPeople) {
  const std::string out = logged(config::LogLevel::info, config::LogFormat::text, [](Log& log) {
    log.warning("camera-1 is silent", {{"stream", "camera-1"}});
  });
  EXPECT_THAT(out, MatchesRegex("20..-..-..T..:..:..\\....Z warning camera-1 is silent\n"));
}

TEST(Log, WritesOneJsonObjectForEachLine) {
  const std::string out = logged(config::LogLevel::info, config::LogFormat::json, [](Log& log) {
    log.info("camera-1 is live", {{"stream", "camera-1"}, {"packets", 12u}, {"live", true}});
  });
  EXPECT_THAT(out, MatchesRegex("\\{\"time\":\"20..-..-..T..:..:..\\.......Z\",\"level\":\"info\","
                                "\"message\":\"camera-1 is live\",\"stream\":\"camera-1\","
                                "\"packets\":12,\"live\":true\\}\n"));
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
  const auto write = [](Log& log) {
    log.debug("d");
    log.info("i");
    log.warning("w");
    log.error("e");
  };
  const std::string out = logged(config::LogLevel::warning, config::LogFormat::text, write);
  EXPECT_THAT(out, MatchesRegex("[^\n]* warning w\n[^\n]* error   e\n"));
}

TEST(Log, NeverWaitsForItsReader) {
  // A sink that does not take a line until the log has accepted many more than may wait.
  struct SlowSink : spdlog::sinks::base_sink<std::mutex> {
    std::mutex gate;
    void sink_it_(const spdlog::details::log_msg&) override { const std::scoped_lock open(gate); }
    void flush_() override {}
  };
  const auto sink = std::make_shared<SlowSink>();
  Log log(config::LogLevel::info, config::LogFormat::text, sink);
  std::unique_lock closed(sink->gate);
  for (std::size_t i = 0; i < 3 * Log::kMaxWaitingLines; ++i) log.info("line");
  closed.unlock();
}

LogLine line(const char* message, std::vector<LogField> fields = {}) {
  return {config::LogLevel::info, message, std::move(fields)};
}

TEST(LogLine, StaysOneLineWhateverItContains) {
  EXPECT_EQ(text_of(line("a\nb\x1b[31m\x7f")), "a\\x0ab\\x1b[31m\\x7f");
  EXPECT_EQ(json_members_of(line("a\n\"\\")), R"("message":"a\u000a\"\\")");
}

TEST(LogLine, IsValidJsonEvenWhenAMessageIsNoUtf8) {
  EXPECT_EQ(json_members_of(line("gr\xc3\xbc\xc3\x9f")), "\"message\":\"gr\xc3\xbc\xc3\x9f\"");
  for (const char* broken : {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_THAT(json_members_of(line(broken)), MatchesRegex("\"message\":\"(\xef\xbf\xbd)+\""));
  }
}

TEST(LogLine, WritesEachKindOfField) {
  const LogLine all = line("m", {{"text", "t"},
                                 {"down", -1},
                                 {"up", std::uint64_t{18446744073709551615u}},
                                 {"part", 0.25},
                                 {"none", std::nan("")},
                                 {"no", false}});
  EXPECT_EQ(json_members_of(all),
            R"("message":"m","text":"t","down":-1,"up":18446744073709551615,"part":0.25,)"
            R"("none":null,"no":false)");
}

}  // namespace
}  // namespace runnel::daemon
