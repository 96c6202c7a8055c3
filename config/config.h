// The configuration as the YAML file says it, checked, with defaults filled in. Plain data; no
// network has been touched.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/auth/authenticator.h"
#include "core/base/address.h"
#include "core/rtp/codec.h"
#include "core/srtp/master_key.h"

namespace runnel::config {

/// Where something stands in the file, for messages about it that come later (such as "address
/// already in use").
struct Origin {
  std::string file;
  int line = 0;     // 0: a default that stands in no line, or the file as a whole
  std::string key;  // "relays[0].to[1].srtp.media[0].send"

  /// "FILE:LINE: KEY", "FILE: KEY (default)", or "FILE" of the file as a whole.
  [[nodiscard]] std::string to_string() const;
};

/// A host and a port as written; the host may be a name that is still to be resolved.
struct Endpoint {
  std::string host;  // a literal address without brackets, or a DNS name
  std::uint16_t port = 0;
  Origin origin;

  [[nodiscard]] std::optional<SocketAddress> literal() const noexcept;
  [[nodiscard]] std::string to_string() const;
};

/// A local address to bind.
struct Listen {
  SocketAddress address;
  Origin origin;
};

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error };
enum class LogFormat : std::uint8_t { text, json };

struct Log {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  std::chrono::milliseconds statistics_interval = std::chrono::seconds(30);  // 0: only on SIGUSR1
};

struct Limits {
  std::size_t relays = 1'000;
  std::size_t receivers_per_relay = 10'000;
  std::size_t media_per_leg = 16;
  std::size_t ssrcs_per_leg = 64;
  std::size_t replay_window = 1'024;             // packets
  std::size_t receive_buffer = 4 * 1024 * 1024;  // bytes, of each UDP socket
  std::size_t send_buffer = 4 * 1024 * 1024;
  std::size_t retransmission_packets = 512;  // kept of each stream, to answer NACKs with
  std::chrono::milliseconds key_frame_interval{500};
  std::chrono::milliseconds report_interval{1'000};
  std::chrono::milliseconds stall{5'000};
  std::chrono::milliseconds hold{30'000};
  // What signalling may take.
  std::size_t streams = 1'000;  // made by signalling, besides `relays`
  std::size_t connections = 10'000;
  std::size_t connections_per_address = 256;  // IPv6: for each /64
  std::size_t sessions = 10'000;
  std::size_t sessions_per_client = 1'000;  // of one token, or of one address without a token
  std::size_t legs_per_session = 64;
  std::size_t rest_legs = 1'000;                   // made by REST with one token
  std::size_t requests_per_second = 50;            // of each connection; the burst is twice that
  std::size_t client_requests_per_second = 1'000;  // of one address, and of one token
  std::size_t failed_tries = 10;                   // of each address in a minute
  std::size_t peers = 10'000;                      // webrtc connections
  std::size_t message = 1024 * 1024;               // bytes, of a WebSocket message
  std::size_t send_queue = 1024 * 1024;            // bytes that may wait for one reader
  std::size_t request_head = 16 * 1024;            // bytes
  std::size_t request_body = 256 * 1024;           // bytes
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds idle_timeout{60'000};  // between requests of one connection
  std::chrono::milliseconds connect_timeout{
      30'000};  // of a peer, from its offer to its first media
  std::chrono::milliseconds consent_timeout{
      30'000};  // of a peer that is no longer heard (RFC 7675)

  friend bool operator==(const Limits&, const Limits&) = default;
};

/// A certificate, its chain and its key, in PEM. The files existed and could be read.
struct CertificateFiles {
  std::string certificate;  // paths to open them by
  std::string key;
  Origin certificate_origin;
  Origin key_origin;
};

/// Who may do what. `settings` is taken out by whoever builds the Authenticator.
struct Auth {
  /// Whether the file says who may come in, be it everybody. Without, listen.signalling has
  /// loopback addresses alone.
  bool is_configured = false;
  auth::Settings settings;
  bool query = false;  // whether "?token=" is looked at
  Origin origin;
};

/// How signalling serves its clients.
struct SignallingSettings {
  /// Browser origins that are allowed besides the server's own, as parse_origin answers them.
  std::vector<std::string> origins;
  std::vector<IpNetwork> rtp_networks;   // where `rtp` legs may come from and go to
  std::vector<IpNetwork> srtp_networks;  // where `srtp` legs may send to besides the client itself
  std::chrono::milliseconds hold{30'000};  // the media of a session whose connection is lost
  std::chrono::milliseconds ping_interval{20'000};

  friend bool operator==(const SignallingSettings&, const SignallingSettings&) = default;
};

/// A STUN or TURN server that WHIP and WHEP clients are told of.
struct IceServer {
  std::vector<std::string> urls;  // RFC 7064 and RFC 7065: "turn:turn.example.net:3478"
  std::string username;           // with TURN
  std::string credential;         // likewise; a secret, though one that every client gets to know

  friend bool operator==(const IceServer&, const IceServer&) = default;
};

/// How browsers and their like connect for media.
struct WebRtc {
  bool enabled = true;
  bool ice_tcp = true;  // media by TCP, on every address of listen.signalling
  std::optional<CertificateFiles> certificate;  // of DTLS; absent: a new one at each start
  std::vector<IceServer> ice_servers;
  std::uint64_t publisher_bitrate = 8'000'000;  // bit/s that a publisher may send
};

/// Keys of an `srtp` leg.
struct Srtp {
  srtp::Profile suite = srtp::Profile::aes_cm_128_hmac_sha1_80;
  std::vector<srtp::MasterKey> keys;        // at least one
  std::vector<srtp::MasterKey> reply_keys;  // empty: the same as `keys`
};

struct SourceMedium {
  std::string name;  // by default its kind, with a number behind it from the second of a kind on:
                     // "video", "video2"
  rtp::Codec codec;
  std::uint8_t payload_type = 96;
  Listen listen;
  bool rtcp_mux = false;  // false: RTCP is also received on listen + 1
  std::optional<std::uint32_t> ssrc;
  std::uint32_t rollover_counter = 0;
  Origin origin;

  /// Where RTCP arrives besides `listen`: the next port, or nullopt with rtcp_mux.
  [[nodiscard]] std::optional<SocketAddress> rtcp_listen() const noexcept;
};

struct SourceLeg {
  std::optional<Srtp> srtp;  // absent: plain RTP
  std::vector<IpNetwork> allow;
  std::vector<SourceMedium> media;
  Origin origin;
};

struct ReceiverMedium {
  std::size_t source = 0;  // index into SourceLeg::media
  std::uint8_t payload_type = 96;
  std::optional<std::uint32_t> ssrc;
  std::optional<Endpoint> send;       // absent with latch
  std::optional<Endpoint> send_rtcp;  // absent: send + 1, or `send` with rtcp_mux
  std::optional<Listen> listen;       // absent: the shared media port of the same address family
  bool rtcp_mux = false;
  Origin origin;

  /// Where RTCP arrives besides `listen`: the port after a `listen` of its own, or nullopt with
  /// rtcp_mux, and nullopt where the shared media port takes both.
  [[nodiscard]] std::optional<SocketAddress> rtcp_listen() const noexcept;
  /// `send_rtcp`, or what `send` and rtcp_mux make of it; nullopt with latch.
  [[nodiscard]] std::optional<Endpoint> rtcp_destination() const;
};

struct ReceiverLeg {
  std::optional<Srtp> srtp;
  std::vector<IpNetwork> allow;
  bool latch_first = false;
  std::vector<ReceiverMedium> media;
  Origin origin;
};

struct Relay {
  std::string stream;
  SourceLeg from;
  std::vector<ReceiverLeg> to;
  Origin origin;
};

inline constexpr std::uint16_t kDefaultMediaPort = 7000;
inline constexpr std::uint16_t kDefaultSignallingPort = 7080;
/// Addresses in one list of `listen`.
inline constexpr std::size_t kMostListeners = 64;
/// Local UDP ports for media that a configuration may need, each counted once. Behind their numbers
/// there are those of listen.signalling, for media by TCP.
inline constexpr std::size_t kMostLocalPorts = 65'535 - kMostListeners;

/// A default-constructed Config is what an empty file means; config/runnel.yaml spells it out.
struct Config {
  std::string file;
  /// listen.media, UDP: every IPv4 and every IPv6 address (each socket of its own family).
  std::vector<Listen> media{
      {{IpAddress::v4({0, 0, 0, 0}), kDefaultMediaPort}, {{}, 0, "listen.media[0]"}},
      {{IpAddress::v6({}), kDefaultMediaPort}, {{}, 0, "listen.media[1]"}}};
  /// listen.signalling, TCP: this machine alone.
  std::vector<Listen> signalling{
      {{IpAddress::v4({127, 0, 0, 1}), kDefaultSignallingPort}, {{}, 0, "listen.signalling[0]"}}};
  std::optional<CertificateFiles> tls;  // on every address of `signalling`
  Auth auth;
  SignallingSettings signalling_settings;
  WebRtc webrtc;
  std::vector<std::string> announce{"auto"};
  Log log;
  Limits limits;
  std::vector<Relay> relays;
};

}  // namespace runnel::config
