#include "daemon/log.h"

#include <spdlog/async.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace runnel::daemon {
namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %^%-7l%$ %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

spdlog::level::level_enum spdlog_level(config::LogLevel level) noexcept {
  switch (level) {
    case config::LogLevel::trace:
      return spdlog::level::trace;
    case config::LogLevel::debug:
      return spdlog::level::debug;
    case config::LogLevel::info:
      return spdlog::level::info;
    case config::LogLevel::warning:
      return spdlog::level::warn;
    case config::LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

Log::Log(config::LogLevel level, config::LogFormat format)
    : Log(level, format, std::make_shared<spdlog::sinks::stderr_color_sink_mt>()) {}

Log::Log(config::LogLevel level, config::LogFormat format, spdlog::sink_ptr sink)
    : format_(format),
      writer_(std::make_shared<spdlog::details::thread_pool>(kMaxWaitingLines, 1)),
      logger_(std::make_shared<spdlog::async_logger>(
          "runneld", std::move(sink), writer_, spdlog::async_overflow_policy::overrun_oldest)) {
  const bool json = format == config::LogFormat::json;
  logger_->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      json ? kJsonPattern : kTextPattern, spdlog::pattern_time_type::utc));
  logger_->set_level(spdlog_level(level));
  logger_->flush_on(spdlog::level::trace);
}

void Log::write(const LogLine& line) {
  const auto level = spdlog_level(line.level);
  if (!logger_->should_log(level)) return;
  const bool json = format_ == config::LogFormat::json;
  logger_->log(level, spdlog::string_view_t(json ? json_members_of(line) : text_of(line)));
}

void Log::close() {
  logger_.reset();
  writer_.reset();
}

void Log::debug(std::string message, std::vector<LogField> fields) {
  write({config::LogLevel::debug, std::move(message), std::move(fields)});
}

void Log::info(std::string message, std::vector<LogField> fields) {
  write({config::LogLevel::info, std::move(message), std::move(fields)});
}

void Log::warning(std::string message, std::vector<LogField> fields) {
  write({config::LogLevel::warning, std::move(message), std::move(fields)});
}

void Log::error(std::string message, std::vector<LogField> fields) {
  write({config::LogLevel::error, std::move(message), std::move(fields)});
}

}  // namespace runnel::daemon
