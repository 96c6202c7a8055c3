#include "daemon/signalling/notice_log.h"

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {
namespace {

using config::LogLevel;
using What = session::Notice::What;

/// "camera-7 (192.0.2.9)", or the address alone of somebody without a name.
std::string who(const session::Notice& notice) {
  const std::string address = notice.address.to_string();
  return notice.client.empty() ? address : fmt::format("{} ({})", notice.client, address);
}

LogLine about_stream(const session::Notice& notice, const char* event,
                     const std::string& sentence) {
  return {LogLevel::info,
          fmt::format("{}: {}", notice.stream, sentence),
          {{"event", event},
           {"stream", notice.stream},
           {"client", notice.client},
           {"address", notice.address.to_string()}}};
}

LogLine about_token(const session::Notice& notice, const char* event, const std::string& sentence) {
  return {LogLevel::warning,
          sentence,
          {{"event", event},
           {"address", notice.address.to_string()},
           {"reason", std::string(notice.reason)}}};
}

}  // namespace

LogLine describe(const session::Notice& notice) {
  switch (notice.what) {
    case What::published:
      return about_stream(notice, "published", "published by " + who(notice));
    case What::taken_over:
      return about_stream(notice, "taken_over", "taken over by " + who(notice));
    case What::unpublished:
      return about_stream(notice, "unpublished", "no longer published by " + who(notice));
    case What::stopped:
      return about_stream(notice, "stopped", "its publication is stopped by " + who(notice));
    case What::token_refused:
      return about_token(
          notice, "token_refused",
          fmt::format("a token from {} is not accepted: {}", who(notice), notice.reason));
    case What::tokens_ignored:
      break;
  }
  return about_token(
      notice, "tokens_ignored",
      fmt::format("a token from {} is not accepted: {}; there have been so many that "
                  "it has to wait (limits.failed_tries)",
                  who(notice), notice.reason));
}

}  // namespace runnel::daemon
