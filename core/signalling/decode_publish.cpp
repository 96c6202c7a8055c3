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

}  // namespace

Publish decode_publish(const Field& request) {
  Publish publish;
  publish.stream = require_name(request, "stream");
  request.read_into(publish.take_over, "take_over", &Field::boolean);
  if (auto leg = read_leg(request)) publish.leg = std::move(*leg);
  const bool is_websocket = std::holds_alternative<WebSocketOffer>(publish.leg);

  const auto tracks = request.require("tracks", "an array of tracks");
  if (!tracks) return publish;
  for (const Field& field : tracks->items({1, kMaxTracks})) {
    PublishedTrack track = read_track(field);
    const auto is_same = [&](const PublishedTrack& other) { return other.name == track.name; };
    if (std::any_of(publish.tracks.begin(), publish.tracks.end(), is_same)) {
      field.refuse("another track is called " + quote(track.name) + " too; give each its 'name'");
    }
    if (track.from && is_websocket) {
      field.refuse("'from' is of srtp and rtp legs; leave it out");
    }
    publish.tracks.push_back(std::move(track));
  }
  assign_payload_types(publish.tracks);
  return publish;
}

}  // namespace runnel::signalling
