// Which keys each mapping of the file knows: the whole shape of the YAML on one page.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace runnel::config {

struct Schema {
  std::string_view place;  // as a person would say where: "from.srtp"
  std::span<const std::string_view> keys;

  [[nodiscard]] bool knows(std::string_view key) const noexcept;
};

namespace keys {
inline constexpr std::array<std::string_view, 9> kRoot{
    "listen", "tls", "auth", "signalling", "announce", "webrtc", "log", "limits", "relays"};
inline constexpr std::array<std::string_view, 2> kListen{"media", "signalling"};
inline constexpr std::array<std::string_view, 2> kTls{"certificate", "key"};
inline constexpr std::array<std::string_view, 4> kAuth{"open", "tokens", "query", "jwt"};
inline constexpr std::array<std::string_view, 7> kToken{"name",    "token",     "token_file", "may",
                                                        "streams", "take_over", "expires"};
inline constexpr std::array<std::string_view, 3> kJwt{"keys", "issuer", "audience"};
inline constexpr std::array<std::string_view, 4> kJwtKey{"kid", "algorithm", "key_file", "secret"};
inline constexpr std::array<std::string_view, 5> kSignalling{
    "origins", "rtp_networks", "srtp_networks", "hold", "ping_interval"};
inline constexpr std::array<std::string_view, 6> kWebRtc{
    "enabled", "ice_tcp", "certificate", "key", "ice_servers", "publisher_bitrate"};
inline constexpr std::array<std::string_view, 3> kIceServer{"urls", "username", "credential"};
inline constexpr std::array<std::string_view, 3> kLog{"level", "format", "statistics_interval"};
inline constexpr std::array<std::string_view, 31> kLimits{"relays",
                                                          "receivers_per_relay",
                                                          "media_per_leg",
                                                          "ssrcs_per_leg",
                                                          "replay_window",
                                                          "receive_buffer",
                                                          "send_buffer",
                                                          "retransmission_packets",
                                                          "key_frame_interval",
                                                          "report_interval",
                                                          "stall",
                                                          "hold",
                                                          "streams",
                                                          "connections",
                                                          "connections_per_address",
                                                          "sessions",
                                                          "sessions_per_client",
                                                          "legs_per_session",
                                                          "rest_legs",
                                                          "requests_per_second",
                                                          "client_requests_per_second",
                                                          "failed_tries",
                                                          "message",
                                                          "send_queue",
                                                          "request_head",
                                                          "request_body",
                                                          "header_timeout",
                                                          "idle_timeout",
                                                          "peers",
                                                          "connect_timeout",
                                                          "consent_timeout"};
inline constexpr std::array<std::string_view, 3> kRelay{"stream", "from", "to"};
inline constexpr std::array<std::string_view, 2> kLegKinds{"srtp", "rtp"};
inline constexpr std::array<std::string_view, 9> kSrtpSource{
    "suite", "key", "key_file", "keys", "mki", "reply_key", "reply_key_file", "allow", "media"};
inline constexpr std::array<std::string_view, 10> kSrtpReceiver{
    "suite",          "key",   "key_file", "keys", "mki", "reply_key",
    "reply_key_file", "allow", "latch",    "media"};
inline constexpr std::array<std::string_view, 2> kRtpSource{"allow", "media"};
inline constexpr std::array<std::string_view, 3> kRtpReceiver{"allow", "latch", "media"};
inline constexpr std::array<std::string_view, 3> kKey{"key", "key_file", "mki"};
inline constexpr std::array<std::string_view, 9> kSourceMedium{
    "name", "kind", "payload_type", "codec", "fmtp", "listen", "rtcp_mux", "ssrc", "roc"};
inline constexpr std::array<std::string_view, 8> kReceiverMedium{
    "kind", "source", "payload_type", "ssrc", "send", "rtcp_send", "listen", "rtcp_mux"};
}  // namespace keys

inline constexpr Schema kRootSchema{"the file itself", keys::kRoot};
inline constexpr Schema kListenSchema{"listen", keys::kListen};
inline constexpr Schema kTlsSchema{"tls", keys::kTls};
inline constexpr Schema kAuthSchema{"auth", keys::kAuth};
inline constexpr Schema kTokenSchema{"an entry of auth.tokens", keys::kToken};
inline constexpr Schema kJwtSchema{"auth.jwt", keys::kJwt};
inline constexpr Schema kJwtKeySchema{"an entry of auth.jwt.keys", keys::kJwtKey};
inline constexpr Schema kSignallingSchema{"signalling", keys::kSignalling};
inline constexpr Schema kWebRtcSchema{"webrtc", keys::kWebRtc};
inline constexpr Schema kIceServerSchema{"an entry of webrtc.ice_servers", keys::kIceServer};
inline constexpr Schema kLogSchema{"log", keys::kLog};
inline constexpr Schema kLimitsSchema{"limits", keys::kLimits};
inline constexpr Schema kRelaySchema{"an entry of relays", keys::kRelay};
inline constexpr Schema kSourceSchema{"from", keys::kLegKinds};
inline constexpr Schema kReceiverSchema{"an entry of to", keys::kLegKinds};
inline constexpr Schema kSrtpSourceSchema{"from.srtp", keys::kSrtpSource};
inline constexpr Schema kSrtpReceiverSchema{"to.srtp", keys::kSrtpReceiver};
inline constexpr Schema kRtpSourceSchema{"from.rtp", keys::kRtpSource};
inline constexpr Schema kRtpReceiverSchema{"to.rtp", keys::kRtpReceiver};
inline constexpr Schema kKeySchema{"an entry of keys", keys::kKey};
inline constexpr Schema kSourceMediumSchema{"an entry of from's media", keys::kSourceMedium};
inline constexpr Schema kReceiverMediumSchema{"an entry of to's media", keys::kReceiverMedium};

/// Every mapping there is.
inline constexpr std::array kSchemas{
    kRootSchema,         kListenSchema,        kTlsSchema,         kAuthSchema,
    kTokenSchema,        kJwtSchema,           kJwtKeySchema,      kSignallingSchema,
    kWebRtcSchema,       kIceServerSchema,     kLogSchema,         kLimitsSchema,
    kRelaySchema,        kSourceSchema,        kReceiverSchema,    kSrtpSourceSchema,
    kSrtpReceiverSchema, kRtpSourceSchema,     kRtpReceiverSchema, kKeySchema,
    kSourceMediumSchema, kReceiverMediumSchema};

/// What to do about `key`, which `schema` does not know: "did you mean 'x'?", or the place where
/// the key belongs, or the keys that are known here.
[[nodiscard]] std::string advice_for_unknown_key(std::string_view key, const Schema& schema);

}  // namespace runnel::config
