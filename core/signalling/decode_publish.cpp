// publish: the tracks that a client is going to send, and how.
#include <algorithm>

#include "core/signalling/codec.h"
#include "core/signalling/codec_name.h"
#include "core/signalling/decode_request.h"
#include "core/signalling/field_types.h"
#include "core/signalling/leg_offer.h"

namespace runnel::signalling {
namespace {

PublishedTrack read_track(const Field& field) {
  PublishedTrack track;
  if (!field.is_object()) return track;
  if (auto named = read_codec(field)) {
    track.codec = std::move(named->codec);
    track.payload_type = named->payload_type;
  }
  track.name = rtp::to_string(track.codec.kind);
  field.read_into(track.name, "name", read_name);
  field.read_into(track.ssrc, "ssrc", read_32_bits);
  field.read_into(track.from, "from", read_address);
  return track;
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
  return publish;
}

}  // namespace runnel::signalling
