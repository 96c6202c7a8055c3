// What a client can ask for: one struct for each verb, the same for WebSocket and REST.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/address.h"
#include "core/base/secret.h"
#include "core/base/time.h"
#include "core/relay/relay_description.h"
#include "core/rtp/codec.h"
#include "core/srtp/profile.h"

namespace runnel::signalling {

inline constexpr int kProtocolVersion = 1;

/// Chosen by the client, and quoted in the answer.
using RequestId = std::uint64_t;
/// A leg of a session, as the session's client knows it; counted from 1.
using LegNumber = std::uint32_t;

/// A peer connection of a session, as the session's client knows it; counted from 1.
using PeerNumber = std::uint32_t;
/// Of the server's offers on one peer connection; counted from 1.
using Generation = std::uint32_t;

/// Master key and salt as they come out of base64; the suite says what is which.
using KeyMaterial = Secret<64>;

/// How media is carried in binary messages.
enum class MediaFormat : std::uint8_t {
  rtp,    // one RTP packet
  frame,  // one whole encoded frame
};

/// SDES-SRTP. A key that is not given is made by the server; the answer names both.
struct SrtpOffer {
  std::vector<srtp::Profile> suites;     // in order of preference, at least one
  std::optional<KeyMaterial> key;        // of the media; with it, `suites` has one entry
  std::optional<KeyMaterial> reply_key;  // of the RTCP that travels against the media
};
struct RtpOffer {};
struct WebSocketOffer {
  MediaFormat format = MediaFormat::rtp;
};
/// ICE, DTLS-SRTP and SDP (RFC 8829), with a client that offers or is offered.
struct WebRtcOffer {
  std::optional<std::string> offer;  // SDP, for a new peer; nullopt: the server offers
  std::optional<PeerNumber> peer;    // that is to carry the leg, too; never beside `offer`
};
using LegOffer = std::variant<SrtpOffer, RtpOffer, WebSocketOffer, WebRtcOffer>;

struct Hello {
  std::vector<int> versions;  // empty: 1
  std::optional<std::string> token;
  std::optional<std::string> resume;  // the id of a session
};

struct PublishedTrack {
  std::string name;  // empty: its kind
  rtp::Codec codec;
  std::uint8_t payload_type = 96;     // when not said: the codec's static one, or a free one
  std::optional<std::uint32_t> ssrc;  // what the client will send under; nullopt: it is told one
  std::optional<SocketAddress> from;  // for clients that cannot choose their SSRC
};
/// What a track of an SDP offer is called, and which of its codecs is to be used.
struct TrackChoice {
  std::string name;  // empty: its kind
  /// Which m-line: by a=mid, or the next one of the kind; nullopt: the next one of any.
  std::optional<std::string> mid;
  std::optional<rtp::MediaKind> kind;
  std::optional<rtp::Codec> codec;  // by its name
};
struct Publish {
  std::string stream;
  std::vector<PublishedTrack> tracks;  // at least one; none with webrtc
  std::vector<TrackChoice> choices;    // of webrtc; empty: all that is offered, by its kind
  LegOffer leg;
  bool take_over = false;
};

struct SubscribedTrack {
  std::string name;
  std::optional<std::uint8_t> payload_type;  // nullopt: the publisher's
  std::optional<SocketAddress> to;           // srtp and rtp; nullopt with latch
  std::optional<SocketAddress> rtcp_to;      // nullopt: `to` (rtcp-mux)
};
struct Subscribe {
  std::string stream;
  std::vector<SubscribedTrack> tracks;  // empty: all
  LegOffer leg;
  bool latch = false;                 // the first authenticated RTCP shows where the client is
  std::optional<SocketAddress> to;    // of all tracks that name no address of their own
  std::chrono::milliseconds wait{0};  // for a stream that is not live yet
  bool paused = false;                // begin so
  relay::LayerWish layers = {};       // of all tracks that have several encodings
};

struct Unpublish {
  LegNumber leg = 0;
};
struct Unsubscribe {
  LegNumber leg = 0;
};
struct Update {
  LegNumber leg = 0;
  std::optional<bool> paused;  // of a subscription
  bool key_frame = false;      // ask the publisher for one
  std::optional<relay::LayerWish> layers;
  std::string track;  // whose layers; empty: of all video tracks
};
/// What the client says to an offer of the server.
struct PeerAnswer {
  PeerNumber peer = 0;
  Generation generation = 0;  // of the offer
  std::string sdp;
};
/// The client offers anew on a peer connection that it has: an ICE restart (RFC 8445 §9).
struct Restart {
  PeerNumber peer = 0;
  std::string offer;
};
struct Watch {
  std::string prefix;  // of stream names
  bool stop = false;
};
struct Stats {
  std::string stream;  // empty with a leg
  std::optional<LegNumber> leg;
  /// nullopt: once. 0 stops.
  std::optional<std::chrono::milliseconds> interval;
};
/// What RTCP would tell, from a client whose leg is `websocket`: of a subscriber how it receives,
/// of a publisher what time its RTP timestamps mean.
struct Report {
  LegNumber leg = 0;
  std::string track;
  std::optional<double> fraction_lost;  // 0 to 1
  std::optional<std::chrono::microseconds> jitter;
  std::optional<std::chrono::microseconds> round_trip;
  struct Clock {
    std::uint32_t rtp_timestamp = 0;
    std::int64_t unix_microseconds = 0;
  };
  std::optional<Clock> clock;
};
struct Bye {};

using Request = std::variant<Hello, Publish, Subscribe, Unpublish, Unsubscribe, Update, PeerAnswer,
                             Restart, Watch, Stats, Report, Bye>;

}  // namespace runnel::signalling
