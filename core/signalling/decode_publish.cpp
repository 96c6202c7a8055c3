// publish: the tracks that a client is going to send, and how.
#include <algorithm>

#include "core/signalling/codec.h"
#include "core/signalling/codec_name.h"
#include "core/signalling/decode_request.h"
#include "core/signalling/field_types.h"
#include "core/signalling/leg_offer.h"

namespace runnel::signalling {
namespace {

constexpr std::uint8_t kFirstDynamic = 96;
constexpr std::uint8_t kUnassigned = 128;  // no payload type, which have 7 bits

/// Whether `type` is taken by another track.
bool is_taken(const std::vector<PublishedTrack>& tracks, std::uint8_t type) {
  return std::any_of(tracks.begin(), tracks.end(),
                     [&](const PublishedTrack& track) { return track.payload_type == type; });
}

/// `payload_type` is kUnassigned when the request does not say one.
PublishedTrack read_track(const Field& field) {
  PublishedTrack track;
  track.payload_type = kUnassigned;
  if (!field.is_object()) return track;
  if (auto named = read_codec(field)) {
    track.codec = std::move(named->codec);
    track.payload_type = named->payload_type.value_or(kUnassigned);
  }
  track.name = rtp::to_string(track.codec.kind);
  field.read_into(track.name, "name", read_name);
  field.read_into(track.ssrc, "ssrc", read_32_bits);
  field.read_into(track.from, "from", read_address);
  return track;
}

/// To tracks without one: from 96 on, those that no other track has.
void assign_payload_types(std::vector<PublishedTrack>& tracks) {
  std::uint8_t next = kFirstDynamic;
  for (PublishedTrack& track : tracks) {
    if (track.payload_type != kUnassigned) continue;
    while (is_taken(tracks, next)) ++next;
    track.payload_type = next;
  }
}

/// Names tell tracks apart.
template <typename Tracks>
void check_name(const Field& field, const Tracks& others, const std::string& name) {
  const auto is_same = [&](const auto& other) { return other.name == name; };
  if (!std::ranges::any_of(others, is_same)) return;
  field.refuse("another track is called " + quote(name) + " too; give each its 'name'");
}

void read_tracks(const Field& list, Publish& publish) {
  const bool is_websocket = std::holds_alternative<WebSocketOffer>(publish.leg);
  for (const Field& field : list.items({1, kMaxTracks})) {
    PublishedTrack track = read_track(field);
    check_name(field, publish.tracks, track.name);
    if (track.from && is_websocket) {
      field.refuse("'from' is of srtp and rtp legs; leave it out");
    }
    publish.tracks.push_back(std::move(track));
  }
  assign_payload_types(publish.tracks);
}

/// Of webrtc, where the SDP says the rest.
TrackChoice read_choice(const Field& field) {
  TrackChoice choice;
  if (!field.is_object()) return choice;
  field.read_into(choice.mid, "mid", read_mid);
  field.read_into(choice.kind, "kind", read_kind);
  if (field.find("codec")) {
    if (auto named = read_codec(field)) {
      choice.kind = named->codec.kind;
      choice.codec = std::move(named->codec);
    }
  }
  field.read_into(choice.name, "name", read_name);
  if (choice.name.empty() && choice.kind) choice.name = rtp::to_string(*choice.kind);
  for (const std::string_view name : {"payload_type", "ssrc", "from"}) {
    if (!field.find(name)) continue;
    field.refuse(quote(name) + " is said by the SDP; leave it out");
  }
  return choice;
}

void read_choices(const Field& list, Publish& publish) {
  for (const Field& field : list.items({1, kMaxTracks})) {
    TrackChoice choice = read_choice(field);
    if (!choice.name.empty()) check_name(field, publish.choices, choice.name);
    publish.choices.push_back(std::move(choice));
  }
}

}  // namespace

Publish decode_publish(const Field& request) {
  Publish publish;
  publish.stream = require_name(request, "stream");
  request.read_into(publish.take_over, "take_over", &Field::boolean);
  if (auto leg = read_leg(request)) publish.leg = std::move(*leg);
  if (const auto* webrtc = std::get_if<WebRtcOffer>(&publish.leg)) {
    if (!webrtc->offer) {
      request.refuse("leg.webrtc.offer: is missing; who publishes offers what it sends, in SDP");
    }
    if (const auto tracks = request.find("tracks")) read_choices(*tracks, publish);
    return publish;
  }
  if (const auto tracks = request.require("tracks", "an array of tracks")) {
    read_tracks(*tracks, publish);
  }
  return publish;
}

}  // namespace runnel::signalling
