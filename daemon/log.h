// Where log lines go: standard error, as text or as JSON, without ever holding up the media.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <spdlog/spdlog.h>

#include "config/config.h"
#include "daemon/log_line.h"

namespace spdlog::details {
class thread_pool;
}

namespace runnel::daemon {

/// Lines are written by a thread of their own: a terminal that is paused or a pipe that nobody
/// reads stops the log and not the relay. At most kMaxWaitingLines wait; then the oldest are lost.
/// The destructor writes what waits.
///
/// Text: "2026-01-31T12:00:00.000Z info    MESSAGE". JSON: one object for each line, with "time",
/// "level", "message" and the fields.
class Log {
 public:
  static constexpr std::size_t kMaxWaitingLines = 4'096;

  /// To standard error, in colour when that is a terminal.
  Log(config::LogLevel level, config::LogFormat format);
  Log(config::LogLevel level, config::LogFormat format, spdlog::sink_ptr sink);

  void write(const LogLine& line);
  /// Writes what waits; nothing can be logged afterwards.
  void close();
  void debug(std::string message, std::vector<LogField> fields = {});
  void info(std::string message, std::vector<LogField> fields = {});
  void warning(std::string message, std::vector<LogField> fields = {});
  void error(std::string message, std::vector<LogField> fields = {});

 private:
  config::LogFormat format_;
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace runnel::daemon
