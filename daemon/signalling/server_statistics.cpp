#include "daemon/signalling/server_statistics.h"

#include <array>
#include <tuple>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {
namespace {

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

LogLine describe(const ServerStatistics& server, const session::Desk::Counts& desk) {
  LogLine line{
      config::LogLevel::info,
      fmt::format("signalling: {} ({}), {}, {}, {}, {}; {} so far",
                  counted(server.connections, "connection"),
                  counted(server.websockets, "WebSocket"), counted(desk.sessions, "session"),
                  counted(desk.streams, "stream"), counted(desk.publications, "publication"),
                  counted(desk.subscriptions, "subscription"), counted(server.requests, "request")),
      {{"event", "signalling"},
       {"connections", server.connections},
       {"websockets", server.websockets},
       {"media_paths", server.media_paths},
       {"sessions", desk.sessions},
       {"streams", desk.streams},
       {"publications", desk.publications},
       {"subscriptions", desk.subscriptions},
       {"accepted", server.accepted},
       {"requests", server.requests}}};
  const std::array<std::tuple<std::uint64_t, const char*, const char*>, 11> troubles{{
      {server.refused, "refused", "refused by a limit"},
      {server.timed_out, "timed_out", "too slow to ask"},
      {server.failed, "failed", "ended in an error"},
      {server.too_slow, "too_slow", "closed for reading too slowly"},
      {server.refused_media, "refused_media", "media messages without room"},
      {server.discarded_statistics, "discarded_statistics", "statistics without room"},
      {desk.media_drops.oversized, "media.oversized", "media messages too long"},
      {desk.media_drops.malformed, "media.malformed", "media messages malformed"},
      {desk.media_drops.unknown_channel, "media.unknown_channel", "media messages of no channel"},
      {desk.media_drops.wrong_kind, "media.wrong_kind", "media messages of the wrong kind"},
      {desk.media_drops.peer_events, "voice.peer_events", "voice events too fast"},
  }};
  for (const auto& [count, field, words] : troubles) {
    if (count == 0) continue;
    line.message += fmt::format(", {} {}", count, words);
    line.fields.emplace_back(field, count);
  }
  return line;
}

}  // namespace runnel::daemon
