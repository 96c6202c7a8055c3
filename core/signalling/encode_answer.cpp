#include "core/signalling/encode_answer.h"

#include <algorithm>

#include "core/base/base64.h"
#include "core/base/secret.h"

namespace runnel::signalling {
namespace {

/// `kind`, `codec` and, when there are parameters, `fmtp`.
void write_codec(JsonWriter& json, const rtp::Codec& codec) {
  json.text("kind", rtp::to_string(codec.kind));
  json.text("codec", codec.rtpmap());
  if (!codec.format_parameters.empty()) json.text("fmtp", codec.format_parameters);
}

void write_track(JsonWriter& json, const LegTrack& track) {
  json.begin_object();
  json.text("name", track.name);
  write_codec(json, track.codec);
  json.number("payload_type", track.payload_type);
  if (track.ssrc != 0) json.number("ssrc", track.ssrc);
  if (track.rtcp_ssrc) json.number("rtcp_ssrc", *track.rtcp_ssrc);
  if (track.channel) json.number("channel", *track.channel);
  json.end_object();
}

void write_key(JsonWriter& json, std::string_view name, const KeyMaterial& key) {
  if (key.empty()) return;
  std::string text = encode_base64(key.view());
  json.text(name, text);
  wipe(text.data(), text.size());
}

void write_transport(JsonWriter& json, const LegTransport& transport) {
  json.begin_object(transport.suite ? "srtp" : "rtp");
  if (transport.suite) json.text("suite", srtp::to_string(*transport.suite));
  write_key(json, "key", transport.key);
  write_key(json, "reply_key", transport.reply_key);
  json.begin_array("addresses");
  for (const std::string& address : transport.addresses) json.text({}, address);
  json.end_array();
  json.number("port", transport.port);
  json.end_object();
}

void write_peer(JsonWriter& json, const LegPeer& peer) {
  json.begin_object("webrtc");
  json.number("peer", peer.peer);
  if (!peer.answer.empty()) json.text("answer", peer.answer);
  if (!peer.offer.empty()) {
    json.number("generation", peer.generation);
    json.text("offer", peer.offer);
  }
  json.end_object();
}

/// Its tracks have channels then.
bool is_websocket(const Leg& leg) {
  return std::any_of(leg.tracks.begin(), leg.tracks.end(),
                     [](const LegTrack& track) { return track.channel.has_value(); });
}

void write_limits(JsonWriter& json, const SessionLimits& limits) {
  json.begin_object("limits");
  json.number("message_size", limits.message_size);
  json.number("legs", limits.legs);
  json.number("requests_per_second", limits.requests_per_second);
  json.end_object();
}

}  // namespace

void write_members(JsonWriter& json, const HelloAnswer& answer) {
  json.number("version", kProtocolVersion);
  json.text("session", answer.session);
  json.flag("resumed", answer.resumed);
  json.number("hold_ms", answer.hold.count());
  json.text("server", answer.server);
  write_limits(json, answer.limits);
  json.begin_array("legs");
  for (const Leg& leg : answer.legs) {
    json.begin_object();
    write_members(json, leg);
    json.end_object();
  }
  json.end_array();
}

void write_members(JsonWriter& json, const Leg& answer) {
  json.number("leg", answer.leg);
  json.text("role", answer.role == LegRole::publication ? "publication" : "subscription");
  json.text("stream", answer.stream);
  json.flag("paused", answer.paused);
  json.begin_array("tracks");
  for (const LegTrack& track : answer.tracks) write_track(json, track);
  json.end_array();
  if (answer.transport) return write_transport(json, *answer.transport);
  if (answer.webrtc) return write_peer(json, *answer.webrtc);
  if (!is_websocket(answer)) return;
  json.begin_object("websocket");
  json.text("format", answer.format == MediaFormat::rtp ? "rtp" : "frame");
  json.end_object();
}

void write_members(JsonWriter& json, const StreamSummary& summary) {
  json.text("stream", summary.stream);
  json.text("state", to_string(summary.state));
  json.begin_array("tracks");
  for (const TrackSummary& track : summary.tracks) {
    json.begin_object();
    json.text("name", track.name);
    write_codec(json, track.codec);
    json.flag("live", track.live);
    json.end_object();
  }
  json.end_array();
  json.number("subscribers", summary.subscribers);
}

void write_members(JsonWriter& json, const WatchAnswer& answer) {
  json.begin_array("streams");
  for (const StreamSummary& summary : answer.streams) {
    json.begin_object();
    write_members(json, summary);
    json.end_object();
  }
  json.end_array();
}

void write_members(JsonWriter& json, const RestartAnswer& answer) {
  json.number("peer", answer.peer);
  json.text("answer", answer.answer);
}

void write_members(JsonWriter&, const Done&) {}

std::string_view to_string(StreamState state) noexcept {
  switch (state) {
    case StreamState::waiting:
      return "waiting";
    case StreamState::live:
      return "live";
    case StreamState::stalled:
      return "stalled";
    case StreamState::ended:
      return "ended";
  }
  return "";
}

}  // namespace runnel::signalling
