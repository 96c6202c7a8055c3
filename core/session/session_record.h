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
#include "core/session/peer_record.h"
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

/// A peer connection of all sessions.
struct PeerKey {
  SessionNumber session{};
  signalling::PeerNumber peer = 0;

  friend auto operator<=>(const PeerKey&, const PeerKey&) = default;
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
  std::optional<EarlyClock> early_clock = std::nullopt;  // of a publication by websocket
  std::string mid = {};                                  // of a webrtc leg: its m-line
};

/// What a webrtc subscription is to get once the client has answered our offer.
struct OfferedMedium {
  std::string mid;
  std::size_t source = 0;  // medium of the source
  std::uint32_t ssrc = 0;
  std::optional<std::uint32_t> retransmission_ssrc = std::nullopt;
  relay::LayerWish layers = {};
};

/// A leg. It always stands in an engine's stream; while a subscription waits it is no leg yet.
struct LegRecord {
  signalling::LegRole role = signalling::LegRole::publication;
  std::string stream;
  std::size_t relay = 0;
  std::optional<std::size_t> receiver;  // of a subscription; nullopt: it waits for an answer
  std::vector<LegTrack> tracks;
  signalling::MediaFormat format = signalling::MediaFormat::rtp;
  std::optional<relay::ChannelId> channel;     // of a websocket leg
  bool paused = false;                         // by the client's wish
  std::optional<signalling::PeerNumber> peer;  // of a webrtc leg
  std::vector<OfferedMedium> offered;          // by track, of one that waits for an answer

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
  std::string resource;  // the id that WHIP and WHEP know it by; empty: they do not
  std::string id;        // what its client resumes it with; empty: it cannot be resumed
  auth::Identity identity;
  IpAddress address;          // where the client was last seen
  auth::LimitKey counted_as;  // by the limits on sessions
  std::optional<ConnectionId> connection;
  std::map<signalling::LegNumber, LegRecord> legs;
  signalling::LegNumber next_leg = 1;
  std::map<signalling::PeerNumber, PeerRecord> peers;
  signalling::PeerNumber next_peer = 1;
  std::map<std::uint16_t, MediaRoute> routes;  // by channel, of websocket publications
  std::uint16_t last_channel = 0;
  std::set<std::uint64_t> waiting;  // the numbers of subscriptions that wait for their stream
  std::vector<std::string> watches;
  std::vector<StatisticsSubscription> statistics;

  /// Whether it is there for its legs alone, and goes with the last of them.
  [[nodiscard]] bool is_unattended() const noexcept { return is_rest || !resource.empty(); }
};

}  // namespace runnel::session
