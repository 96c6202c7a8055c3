// What a client is answered, one struct for each verb, and what it is told without having asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/relay/statistics.h"
#include "core/signalling/error.h"
#include "core/signalling/request.h"

namespace runnel::signalling {

struct SessionLimits {
  std::size_t message_size = 0;  // bytes of one WebSocket message
  std::size_t legs = 0;
  std::size_t requests_per_second = 0;
};

enum class LegRole : std::uint8_t { publication, subscription };

/// What a track of a leg is, and how to find it.
struct LegTrack {
  std::string name;
  rtp::Codec codec;
  std::uint8_t payload_type = 0;
  std::uint32_t ssrc = 0;                  // of what is sent, by whoever sends; 0: not known yet
  std::optional<std::uint32_t> rtcp_ssrc;  // of the RTCP of a client that latches
  std::optional<std::uint16_t> channel;    // websocket: the number in binary messages
};
/// The network's side of an srtp or rtp leg: where the server sends from and receives.
struct LegTransport {
  std::vector<std::string> addresses;  // as announced
  std::uint16_t port = 0;
  std::optional<srtp::Profile> suite;  // absent: clear
  KeyMaterial key;                     // of the media; empty: clear
  KeyMaterial reply_key;
};
/// The peer connection of a webrtc leg, and what the client needs to go on with it.
struct LegPeer {
  PeerNumber peer = 0;
  std::string answer;         // to the offer of the client
  Generation generation = 0;  // of `offer`
  std::string offer;          // of the server, to be answered by `answer`
};
struct Leg {
  LegNumber leg = 0;
  LegRole role = LegRole::publication;
  std::string stream;
  std::vector<LegTrack> tracks;
  /// Absent when it is websocket, which tracks with channels show, or of a resumed session.
  std::optional<LegTransport> transport;
  std::optional<LegPeer> webrtc;
  MediaFormat format = MediaFormat::rtp;
  bool paused = false;
};

struct HelloAnswer {
  std::string session;  // the id to resume with; a secret of the client
  bool resumed = false;
  std::chrono::milliseconds hold{};
  SessionLimits limits;
  std::string server;     // "runnel 0.1.0"
  std::vector<Leg> legs;  // of a resumed session, without keys
};

enum class StreamState : std::uint8_t { waiting, live, stalled, ended };
struct TrackSummary {
  std::string name;
  rtp::Codec codec;
  bool live = false;
};
struct StreamSummary {
  std::string stream;
  StreamState state = StreamState::waiting;
  std::vector<TrackSummary> tracks;
  std::size_t subscribers = 0;
};
struct WatchAnswer {
  std::vector<StreamSummary> streams;
};
struct StatsAnswer {
  relay::RelayStatistics statistics;
  StreamState state = StreamState::waiting;
  /// Of the leg alone that was asked for; nullopt: the whole stream.
  std::optional<LegNumber> leg;
};
/// Of `restart`.
struct RestartAnswer {
  PeerNumber peer = 0;
  std::string answer;
};
/// Of verbs that have nothing to tell: `{}`.
struct Done {};

using Answer = std::variant<HelloAnswer, Leg, WatchAnswer, StatsAnswer, RestartAnswer, Done>;

// Events: what a client is told without having asked.

/// A stream that the client watches has changed.
struct StreamEvent {
  enum class What : std::uint8_t { started, stalled, resumed, ended, tracks, subscribers };
  What what = What::started;
  StreamSummary stream;
};
enum class LegEndReason : std::uint8_t {
  stream_ended,    // the publisher is gone for good
  taken_over,      // another publisher has taken the stream
  tracks_changed,  // the publisher came back with other tracks
  goodbye,         // the client said BYE by RTCP
  stopped,         // by an administrator
  key_expired,
  refused,     // the client's answer to an offer does not take it
  peer_ended,  // its peer connection; the event peer_state says why
  shutting_down,
};
struct LegEnded {
  LegNumber leg = 0;
  LegEndReason reason = LegEndReason::stream_ended;
};
/// A subscription's stream has stalled, is back, or waits for its publisher.
struct LegState {
  LegNumber leg = 0;
  StreamState state = StreamState::live;
};
/// The publisher of a websocket leg is asked for a key frame.
struct KeyFrameWanted {
  LegNumber leg = 0;
  std::string track;
};
/// How the server receives a websocket publication (what an RTCP reception report tells).
struct ReceptionReport {
  LegNumber leg = 0;
  std::string track;
  double fraction_lost = 0;
  std::int64_t lost = 0;
  std::chrono::microseconds jitter{};
};
/// What time the RTP timestamps of a websocket subscription mean (what a sender report tells).
struct ClockReport {
  LegNumber leg = 0;
  std::string track;
  std::uint32_t rtp_timestamp = 0;
  std::int64_t unix_microseconds = 0;
};
struct StatsEvent {
  StatsAnswer stats;
};
/// Media of this leg was dropped because the client reads too slowly.
struct SlowReader {
  LegNumber leg = 0;
  std::uint64_t dropped_packets = 0;  // since the leg began
};

/// What a peer connection carries has changed: the client has to answer by `answer`.
struct OfferMade {
  PeerNumber peer = 0;
  Generation generation = 0;
  std::string sdp;
};
enum class PeerEndReason : std::uint8_t {
  never_connected,
  handshake_failed,
  wrong_fingerprint,
  no_common_profile,
  closed,
  consent_lost,
  no_legs,  // the last leg on it has ended
};
struct PeerState {
  enum class What : std::uint8_t { connected, moved, stalled, resumed, ended };
  PeerNumber peer = 0;
  What what = What::connected;
  std::optional<PeerEndReason> reason;  // of its end
};

using Event = std::variant<StreamEvent, LegEnded, LegState, KeyFrameWanted, ReceptionReport,
                           ClockReport, StatsEvent, SlowReader, OfferMade, PeerState>;

/// "consent_lost"
[[nodiscard]] std::string_view to_string(PeerEndReason reason) noexcept;

}  // namespace runnel::signalling
