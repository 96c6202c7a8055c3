// A session and its legs: what one client has made, and what stays while its connection is away.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/auth/identity.h"
#include "core/auth/limit_key.h"
#include "core/base/address.h"
#include "core/relay/relay_description.h"
#include "core/session/connection_id.h"
#include "core/signalling/answer.h"
#include "core/signalling/request.h"

namespace runnel::session {

/// Never given out twice.
enum class SessionNumber : std::uint64_t {};

/// A leg of all sessions.
struct LegKey {
  SessionNumber session{};
  signalling::LegNumber leg = 0;

  friend auto operator<=>(const LegKey&, const LegKey&) = default;
};

/// What time a publisher says that its RTP timestamps mean, before its first packet.
struct EarlyClock {
  signalling::Report::Clock clock;
  Timestamp when{};
};

/// How a leg's track is called at either side.
struct LegTrack {
  signalling::LegTrack told;  // what the client knows of it
  std::size_t medium = 0;  // of the engine: of the source for a publication, else of the receiver
  std::optional<EarlyClock> early_clock;  // of a publication by websocket
};

/// A leg. It always stands in an engine's stream; while a subscription waits it is no leg yet.
struct LegRecord {
  signalling::LegRole role = signalling::LegRole::publication;
  std::string stream;
  std::size_t relay = 0;
  std::size_t receiver = 0;  // of a subscription
  std::vector<LegTrack> tracks;
  signalling::MediaFormat format = signalling::MediaFormat::rtp;
  std::optional<relay::ChannelId> channel;  // of a websocket leg
  bool paused = false;                      // by the client's wish

  /// nullptr: it has none of this name.
  [[nodiscard]] LegTrack* find(std::string_view name) noexcept {
    for (LegTrack& track : tracks) {
      if (track.told.name == name) return &track;
    }
    return nullptr;
  }
};

/// Statistics that are sent again and again.
struct StatisticsSubscription {
  std::string stream;
  std::optional<signalling::LegNumber> leg;
  std::chrono::milliseconds interval{};
  Timestamp next{};
};

/// Where the media messages of one channel go that the client sends.
struct MediaRoute {
  relay::ChannelId leg{};
  std::size_t medium = 0;  // of the leg
};

struct SessionRecord {
  bool is_rest = false;  // made by REST calls: no connection, no end of its own
  std::string id;        // what its client resumes it with; empty: it cannot be resumed
  auth::Identity identity;
  IpAddress address;          // where the client was last seen
  auth::LimitKey counted_as;  // by the limits on sessions
  std::optional<ConnectionId> connection;
  std::map<signalling::LegNumber, LegRecord> legs;
  signalling::LegNumber next_leg = 1;
  std::map<std::uint16_t, MediaRoute> routes;  // by channel, of websocket publications
  std::uint16_t last_channel = 0;
  std::set<std::uint64_t> waiting;  // the numbers of subscriptions that wait for their stream
  std::vector<std::string> watches;
  std::vector<StatisticsSubscription> statistics;
};

}  // namespace runnel::session
