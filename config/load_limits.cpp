#include "config/load_limits.h"

#include <bit>

namespace runnel::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kKibi = 1024;
constexpr std::size_t kMebi = 1024 * kKibi;
constexpr std::size_t kGibi = 1024 * kMebi;

/// Reads the values of one mapping.
class Reader {
 public:
  explicit Reader(const Mapping& limits) : limits_(limits) {}

  void number(std::size_t& target, std::string_view key, std::uint64_t highest) const {
    limits_.read_into(target, key, [&](const Value& v) { return v.integer({1, highest}); });
  }
  void size(std::size_t& target, std::string_view key, Bounds<std::size_t> bounds) const {
    limits_.read_into(target, key, [&](const Value& v) { return v.byte_size(bounds); });
  }
  void time(milliseconds& target, std::string_view key, Bounds<milliseconds> bounds) const {
    limits_.read_into(target, key, [&](const Value& v) { return v.duration(bounds); });
  }

 private:
  const Mapping& limits_;
};

std::optional<std::size_t> load_replay_window(const Value& value) {
  const auto packets = value.integer({64, 32'768});
  if (packets && *packets % 64 != 0) {
    value.error("is no multiple of 64", "use " + std::to_string((*packets / 64 + 1) * 64));
    return std::nullopt;
  }
  return packets;
}

/// A ring is indexed by the low bits of packet numbers.
std::optional<std::size_t> load_retransmission_packets(const Value& value) {
  const auto packets = value.integer({0, 16'384});
  if (packets && *packets != 0 && !std::has_single_bit(*packets)) {
    value.error("is no power of two", "use " + std::to_string(std::bit_ceil(*packets)));
    return std::nullopt;
  }
  return packets;
}

void load_relay_limits(const Mapping& limits, Limits& result) {
  const Reader read(limits);
  read.number(result.relays, "relays", 100'000);
  read.number(result.receivers_per_relay, "receivers_per_relay", 100'000);
  read.number(result.media_per_leg, "media_per_leg", 64);
  read.number(result.ssrcs_per_leg, "ssrcs_per_leg", 4'096);
  limits.read_into(result.replay_window, "replay_window", load_replay_window);
  read.size(result.receive_buffer, "receive_buffer", {64 * kKibi, kGibi});
  read.size(result.send_buffer, "send_buffer", {64 * kKibi, kGibi});
  limits.read_into(result.retransmission_packets, "retransmission_packets",
                   load_retransmission_packets);
  read.time(result.key_frame_interval, "key_frame_interval", {milliseconds(50), minutes(1)});
  read.time(result.report_interval, "report_interval", {milliseconds(100), minutes(1)});
  read.time(result.stall, "stall", {milliseconds(500), minutes(10)});
  read.time(result.hold, "hold", {seconds(1), hours(24)});
  if (result.hold < result.stall) {
    limits.value().error("'hold' is shorter than 'stall', so that a stream ends before it stalls",
                         "make hold the longer one");
  }
}

void load_signalling_limits(const Mapping& limits, Limits& result) {
  const Reader read(limits);
  read.number(result.streams, "streams", 100'000);
  read.number(result.connections, "connections", 1'000'000);
  read.number(result.connections_per_address, "connections_per_address", 1'000'000);
  read.number(result.sessions, "sessions", 1'000'000);
  read.number(result.sessions_per_client, "sessions_per_client", 1'000'000);
  read.number(result.legs_per_session, "legs_per_session", 10'000);
  read.number(result.rest_legs, "rest_legs", 100'000);
  read.number(result.requests_per_second, "requests_per_second", 100'000);
  read.number(result.client_requests_per_second, "client_requests_per_second", 1'000'000);
  read.number(result.failed_tries, "failed_tries", 10'000);
  read.size(result.message, "message", {4 * kKibi, 64 * kMebi});
  read.size(result.send_queue, "send_queue", {64 * kKibi, 256 * kMebi});
  read.size(result.request_head, "request_head", {1 * kKibi, 1 * kMebi});
  read.size(result.request_body, "request_body", {4 * kKibi, 64 * kMebi});
  read.time(result.header_timeout, "header_timeout", {seconds(1), minutes(5)});
  read.time(result.idle_timeout, "idle_timeout", {seconds(1), hours(1)});
}

void load_peer_limits(const Mapping& limits, Limits& result) {
  const Reader read(limits);
  read.number(result.peers, "peers", 1'000'000);
  read.time(result.connect_timeout, "connect_timeout", {seconds(1), minutes(10)});
  read.time(result.consent_timeout, "consent_timeout", {seconds(5), minutes(10)});
}

}  // namespace

void load_limits(const Mapping& limits, Limits& result) {
  load_relay_limits(limits, result);
  load_signalling_limits(limits, result);
  load_peer_limits(limits, result);
}

}  // namespace runnel::config
