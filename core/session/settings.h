// What the desk may grant, and what it tells clients of this server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/time.h"
#include "core/dtls/fingerprint.h"
#include "core/relay/relay_description.h"
#include "core/transport/transports.h"

namespace runnel::session {

/// Bounds; the defaults are those of config/runnel.yaml.
struct DeskLimits {
  std::size_t streams = 1'000;  // made by signalling
  std::size_t sessions = 10'000;
  std::size_t sessions_per_client = 1'000;  // of one token, or of one address without a token
  std::size_t legs_per_session = 64;
  std::size_t subscriptions_per_stream = 10'000;
  std::size_t watches_per_session = 16;
  std::size_t requests_per_second = 50;            // of a connection; bursts of twice that
  std::size_t client_requests_per_second = 1'000;  // of an address, and of a token, over all
  std::size_t rest_legs = 1'000;                   // made by REST with one token
  std::size_t answer = 512 * 1024;                 // bytes of one answer on a WebSocket
  std::size_t failed_tries = 10;                   // with tokens, of an address in a minute
  std::size_t message = 1024 * 1024;               // bytes of one WebSocket message
  /// Bytes of SDP that wait for streams, of all sessions. The daemon leaves it so, and its YAML has
  /// no key for it: a browser's offer has some 6 KB, hence more than 2,000 viewers may wait at once
  /// in memory that nobody misses; more are told `full`, and may watch the stream instead.
  std::size_t waiting_offers = 16 * 1024 * 1024;
  Duration hold = std::chrono::seconds(30);   // how long the media of a lost connection stays, and
                                              // subscribers wait for a publisher to come back
  Duration hello = std::chrono::seconds(10);  // how long a connection may take to say hello
  Duration longest_wait = std::chrono::minutes(5);  // of a subscribe with wait_ms
};

/// A stream of the YAML, whose relay the engine has already.
struct ConfiguredStream {
  std::string stream;
  std::size_t relay = 0;
  struct Track {
    std::string name;
    rtp::Codec codec;
    std::uint8_t payload_type = 96;
  };
  std::vector<Track> tracks;  // by medium
};

/// A UDP port that all streams share.
struct MediaPort {
  relay::PortIndex index{};
  SocketAddress address;  // as bound
};

/// What webrtc legs need.
struct WebRtcSettings {
  /// The engine's, which must outlive the desk; nullptr: there are no such legs.
  transport::Transports* transports = nullptr;
  /// Of its certificate.
  dtls::Fingerprint fingerprint;
  /// Where ICE-TCP is taken (RFC 6544), as bound; empty: nowhere. A socket of both address families
  /// stands here twice.
  std::vector<SocketAddress> tcp_ports;
};

struct DeskSettings {
  std::string server = "runnel";
  DeskLimits limits;
  std::vector<ConfiguredStream> configured;
  /// Where srtp and rtp legs live: at most one of each address family is used.
  std::vector<MediaPort> media_ports;
  /// As announced to clients; candidates are made of the literal ones among them.
  std::vector<std::string> addresses;
  std::vector<IpNetwork> rtp_networks;
  std::vector<IpNetwork> srtp_networks;
  std::size_t replay_window = 1024;
  WebRtcSettings webrtc;
};

}  // namespace runnel::session
