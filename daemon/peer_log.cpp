#include "daemon/peer_log.h"

#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "daemon/webrtc_setup.h"

namespace runnel::daemon {
namespace {

using config::LogLevel;
using transport::PeerEndReason;

std::string seconds(std::chrono::milliseconds duration) {
  return fmt::format("{} s", static_cast<double>(duration.count()) / 1000);
}

class Describer {
 public:
  explicit Describer(const PeerSurroundings& surroundings) : surroundings_(surroundings) {}

  LogLine operator()(const transport::PeerConnected& event) const {
    const srtp::Sender* sender = surroundings_.transports.sender(event.peer);
    const std::string profile(sender == nullptr ? "" : to_string(sender->profile()));
    return line(event.peer, LogLevel::info, "peer_connected",
                fmt::format("is connected from {}{}", where(event.path),
                            profile.empty() ? "" : ", under " + profile),
                {{"source", event.path.remote.to_string()},
                 {"transport", transport_of(event.path)},
                 {"profile", profile}});
  }
  LogLine operator()(const transport::PeerMoved& event) const {
    return line(
        event.peer, LogLevel::info, "peer_moved", "has moved to " + where(event.path),
        {{"source", event.path.remote.to_string()}, {"transport", transport_of(event.path)}});
  }
  LogLine operator()(const transport::PeerPathClosed& event) const {
    return line(
        event.peer, LogLevel::info, "peer_path_closed",
        "has lost its way: the connection from " + where(event.path) +
            " was closed; media goes on if it comes by another",
        {{"source", event.path.remote.to_string()}, {"transport", transport_of(event.path)}});
  }
  LogLine operator()(const transport::PeerStalled& event) const {
    return line(event.peer, LogLevel::warning, "peer_stalled",
                "has stalled: nothing has come for " +
                    seconds(std::chrono::duration_cast<std::chrono::milliseconds>(
                        transport_limits(surroundings_.limits).stall)));
  }
  LogLine operator()(const transport::PeerResumed& event) const {
    return line(event.peer, LogLevel::info, "peer_resumed", "is heard again");
  }
  LogLine operator()(const transport::PeerEnded& event) const {
    const bool is_as_meant = event.reason == PeerEndReason::closed;
    return line(event.peer, is_as_meant ? LogLevel::info : LogLevel::warning, "peer_ended",
                "has ended: " + reason(event.reason),
                {{"reason", std::string(to_string(event.reason))}});
  }

 private:
  std::string reason(PeerEndReason reason) const {
    switch (reason) {
      case PeerEndReason::never_connected:
        return fmt::format(
            "it did not connect within {}; can it reach the addresses that are announced, by UDP "
            "or by TCP?",
            seconds(surroundings_.limits.connect_timeout));
      case PeerEndReason::handshake_failed:
        return "the DTLS handshake failed";
      case PeerEndReason::wrong_fingerprint:
        return "its certificate is not the one that its SDP announces; somebody may stand between";
      case PeerEndReason::no_common_profile:
        return "it knows no SRTP profile that is spoken here";
      case PeerEndReason::closed:
        return "it said goodbye";
      case PeerEndReason::consent_lost:
        break;
    }
    return "nothing was heard of it for " + seconds(surroundings_.limits.consent_timeout);
  }

  const char* transport_of(const Path& path) const {
    return path.port < surroundings_.first_tcp_port ? "UDP" : "TCP";
  }
  std::string where(const Path& path) const {
    return fmt::format("{} by {}", path.remote.to_string(), transport_of(path));
  }

  LogLine line(transport::PeerId peer, LogLevel level, const char* name,
               const std::string& sentence, std::vector<LogField> more = {}) const {
    const auto number = static_cast<std::uint32_t>(peer);
    LogLine line{level, "", {{"event", name}, {"peer", number}}};
    const auto owner =
        surroundings_.desk == nullptr ? std::nullopt : surroundings_.desk->owner_of(peer);
    if (owner) {
      line.message =
          fmt::format("{}: {} (peer {}, {}) {}", owner->stream,
                      owner->publishes ? "publisher" : "viewer", number, owner->client, sentence);
      line.fields.push_back({"stream", std::string(owner->stream)});
      line.fields.push_back({"client", std::string(owner->client)});
    } else {
      line.message = fmt::format("peer {} {}", number, sentence);
    }
    line.fields.insert(line.fields.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    return line;
  }

  const PeerSurroundings& surroundings_;
};

}  // namespace

LogLine describe(const transport::Event& event, const PeerSurroundings& surroundings) {
  return std::visit(Describer(surroundings), event);
}

LogLine describe(const transport::Transports::Counts& counts) {
  return {LogLevel::info,
          fmt::format("peers: {} ({} connected); {} handshake{}, {} failed", counts.peers,
                      counts.connected, counts.handshakes, counts.handshakes == 1 ? "" : "s",
                      counts.handshakes_failed),
          {{"event", "peers"},
           {"peers", counts.peers},
           {"connected", counts.connected},
           {"handshakes", counts.handshakes},
           {"handshakes_failed", counts.handshakes_failed},
           {"stun_requests", counts.stun_requests},
           {"waiting_datagrams", counts.waiting_datagrams}}};
}

}  // namespace runnel::daemon
