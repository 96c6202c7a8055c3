#include "daemon/event_log.h"

#include <utility>

#include <spdlog/fmt/fmt.h>

#include "daemon/clock.h"

namespace runnel::daemon {
namespace {

using config::LogLevel;

// As packet analysers show it.
std::string hex(std::uint32_t ssrc) {
  return fmt::format("0x{:08x}", ssrc);
}

// A source that sends messages has no address.
std::string whence(const std::optional<SocketAddress>& source) {
  return source ? source->to_string() : "its websocket";
}

std::string seconds(std::chrono::milliseconds duration) {
  return fmt::format("{} s", static_cast<double>(duration.count()) / 1000);
}

// Adds what every line about a source's medium or a receiver's medium says.
class Describer {
 public:
  Describer(const config::Config& config, const relay::Engine& engine)
      : config_(config), engine_(engine) {}

  LogLine operator()(const relay::TrackStarted& event) const {
    return track(
        event, LogLevel::info, "track_started",
        fmt::format("has started, from {} with SSRC {}", whence(event.source), hex(event.ssrc)),
        {{"source", whence(event.source)}, {"ssrc", event.ssrc}});
  }
  LogLine operator()(const relay::SourceRestarted& event) const {
    const std::string change =
        event.new_ssrc == event.old_ssrc
            ? fmt::format("begins anew under its SSRC {}", hex(event.new_ssrc))
            : fmt::format("has a new SSRC, {} after {}", hex(event.new_ssrc), hex(event.old_ssrc));
    return track(
        event, LogLevel::info, "source_restarted",
        fmt::format("goes on: the source at {} {}; receivers notice nothing", whence(event.source),
                    change),
        {{"source", whence(event.source)}, {"ssrc", event.new_ssrc}, {"old_ssrc", event.old_ssrc}});
  }
  LogLine operator()(const relay::TrackStalled& event) const {
    return track(event, LogLevel::warning, "track_stalled",
                 "has stalled: nothing has arrived for " + seconds(config_.limits.stall));
  }
  LogLine operator()(const relay::TrackResumed& event) const {
    return track(event, LogLevel::info, "track_resumed", "flows again");
  }
  LogLine operator()(const relay::TrackEnded& event) const {
    const bool goodbye = event.reason == relay::EndReason::goodbye;
    return track(event, goodbye ? LogLevel::info : LogLevel::warning, "track_ended",
                 goodbye ? "has ended: the source said goodbye"
                         : "has ended: the source was silent for " + seconds(config_.limits.hold),
                 {{"reason", goodbye ? "goodbye" : "silence"}});
  }
  LogLine operator()(const relay::AuthenticationFailing& event) const {
    return track(
        event, LogLevel::warning, "authentication_failing",
        fmt::format("packets from {} fail authentication; does the sender use this key and "
                    "this suite?",
                    whence(event.source)),
        {{"source", whence(event.source)}});
  }
  LogLine operator()(const relay::ReceiverLatched& event) const {
    const std::string address = event.destination.to_string();
    return receiver(event.receiver, LogLevel::info, "receiver_latched",
                    track_of(event.receiver) + " goes to " + address +
                        ", where its first authenticated packet came from",
                    {{"destination", address}});
  }
  LogLine operator()(const relay::ReceiverLeft& event) const {
    const bool goodbye = event.reason == relay::LeaveReason::goodbye;
    return receiver(event.receiver, goodbye ? LogLevel::info : LogLevel::warning, "receiver_left",
                    "the receiver" + whereabouts(event.receiver) + " " + farewell(event.reason),
                    {{"reason", name_of(event.reason)}});
  }
  LogLine operator()(const relay::ReceiverUnreachable& event) const {
    return receiver(event.receiver, LogLevel::warning, "receiver_unreachable",
                    "the network cannot reach the receiver" + whereabouts(event.receiver) +
                        "; does it run, and is its port open?");
  }
  LogLine operator()(const relay::KeyExpired& event) const {
    return receiver(event.receiver, LogLevel::error, "key_expired",
                    "the key for " + track_of(event.receiver) +
                        " has protected as many packets as it may, and nothing more is sent; "
                        "configure a new key");
  }

 private:
  static const char* name_of(relay::LeaveReason reason) {
    switch (reason) {
      case relay::LeaveReason::silence:
        return "silence";
      case relay::LeaveReason::unreachable:
        return "unreachable";
      case relay::LeaveReason::goodbye:
        break;
    }
    return "goodbye";
  }
  static const char* farewell(relay::LeaveReason reason) {
    switch (reason) {
      case relay::LeaveReason::silence:
        return "no longer reports; its place is free for another";
      case relay::LeaveReason::unreachable:
        return "is no longer there, says the network; its place is free for another";
      case relay::LeaveReason::goodbye:
        break;
    }
    return "said goodbye";
  }

  // "camera-1: video ..."
  template <typename Event>
  LogLine track(const Event& event, LogLevel level, const char* name, const std::string& sentence,
                std::vector<LogField> fields = {}) const {
    const std::string stream = stream_of(event.relay);
    const std::string medium = medium_of(event.relay, event.medium);
    LogLine line{level,
                 fmt::format("{}: {} {}", stream, medium, sentence),
                 {{"event", name}, {"stream", stream}, {"track", medium}}};
    line.fields.insert(line.fields.end(), std::make_move_iterator(fields.begin()),
                       std::make_move_iterator(fields.end()));
    return line;
  }

  // "camera-1 output 2: ...", counted as in --sdp STREAM/N; those of signalling come after.
  LogLine receiver(const relay::ReceiverMediumId& id, LogLevel level, const char* name,
                   const std::string& sentence, std::vector<LogField> fields = {}) const {
    const std::string stream = stream_of(id.relay);
    LogLine line{level,
                 fmt::format("{} output {}: {}", stream, id.receiver + 1, sentence),
                 {{"event", name},
                  {"stream", stream},
                  {"output", id.receiver + 1},
                  {"track", track_of(id)}}};
    line.fields.insert(line.fields.end(), std::make_move_iterator(fields.begin()),
                       std::make_move_iterator(fields.end()));
    if (auto address = address_of(id)) line.fields.emplace_back("destination", std::move(*address));
    return line;
  }

  // " of audio at 198.51.100.9:6002"; a receiver that was latched has no configured address.
  std::string whereabouts(const relay::ReceiverMediumId& id) const {
    const auto address = address_of(id);
    return " of " + track_of(id) + (address ? " at " + *address : "");
  }

  std::string stream_of(std::size_t relay) const {
    if (relay < config_.relays.size()) return config_.relays[relay].stream;
    return std::string(engine_.stream_name(relay));
  }
  std::string medium_of(std::size_t relay, std::size_t medium) const {
    if (relay < config_.relays.size()) return config_.relays[relay].from.media[medium].name;
    return std::string(engine_.medium_name(relay, medium));
  }
  std::string track_of(const relay::ReceiverMediumId& id) const {
    if (const auto* medium = configured(id)) {
      return config_.relays[id.relay].from.media[medium->source].name;
    }
    return std::string(engine_.medium_name(id));
  }
  std::optional<std::string> address_of(const relay::ReceiverMediumId& id) const {
    if (const auto* medium = configured(id)) {
      if (!medium->send) return std::nullopt;
      return medium->send->to_string();
    }
    const auto address = engine_.receiver_destination(id);
    if (!address) return std::nullopt;
    return address->to_string();
  }

  // nullptr when it came by signalling.
  const config::ReceiverMedium* configured(const relay::ReceiverMediumId& id) const {
    if (id.relay >= config_.relays.size()) return nullptr;
    const config::Relay& relay = config_.relays[id.relay];
    return id.receiver < relay.to.size() ? &relay.to[id.receiver].media[id.medium] : nullptr;
  }

  const config::Config& config_;
  const relay::Engine& engine_;
};

}  // namespace

LogLine describe(const relay::Event& event, const config::Config& config,
                 const relay::Engine& engine) {
  return std::visit(Describer(config, engine), event);
}

NoticeBudget* EventLog::budget_of(const transport::Event& event) noexcept {
  const bool is_move = std::holds_alternative<transport::PeerMoved>(event) ||
                       std::holds_alternative<transport::PeerPathClosed>(event);
  if (is_move) return &moves_;
  const auto* ended = std::get_if<transport::PeerEnded>(&event);
  const bool is_stranger =
      ended != nullptr && ended->reason == transport::PeerEndReason::never_connected;
  return is_stranger ? &strangers_ : nullptr;
}

void EventLog::write(const transport::Event& event) {
  if (!peers_) return;
  LogLine line = describe(event, *peers_);
  if (NoticeBudget* budget = budget_of(event)) {
    const auto left_out = budget->may_say(read_clock());
    if (!left_out) return;
    if (*left_out > 0) {
      line.message += fmt::format(" (and {} times more, of which nothing was said)", *left_out);
      line.fields.push_back({"others", *left_out});
    }
  }
  log_.write(line);
}

}  // namespace runnel::daemon
