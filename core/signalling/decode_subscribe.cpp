// subscribe: the tracks that a client wants, and where they are to be sent.
#include <algorithm>

#include "core/signalling/codec.h"
#include "core/signalling/decode_request.h"
#include "core/signalling/field_types.h"
#include "core/signalling/leg_offer.h"

namespace runnel::signalling {
namespace {

constexpr std::uint64_t kLongestWait = 300'000;  // ms

SubscribedTrack read_track(const Field& field) {
  SubscribedTrack track;
  track.name = require_name(field, "name");
  field.read_into(track.payload_type, "payload_type", read_payload_type);
  field.read_into(track.to, "to", read_address);
  field.read_into(track.rtcp_to, "rtcp_to", read_address);
  return track;
}

/// Whether the client has to be found by an address or by latching.
bool has_destination(const LegOffer& leg) {
  return std::holds_alternative<SrtpOffer>(leg) || std::holds_alternative<RtpOffer>(leg);
}

/// Whether the client will be found: by an address, by latching, or on a connection of its own.
void check_destination(const Field& field, const SubscribedTrack& track,
                       const Subscribe& subscribe) {
  const bool is_sent = has_destination(subscribe.leg);
  if ((track.to || track.rtcp_to) && (!is_sent || subscribe.latch)) {
    field.refuse(!is_sent ? "'to' and 'rtcp_to' are of srtp and rtp legs; leave them out"
                          : "'to' and 'rtcp_to' stand beside 'latch'; leave one out");
  }
  if (is_sent && !subscribe.latch && !subscribe.to && !track.to) {
    field.refuse("has no address; write 'to' here or in the leg");
  }
  if (track.payload_type && std::holds_alternative<WebRtcOffer>(subscribe.leg)) {
    field.refuse("'payload_type' is agreed on in SDP; leave it out");
  }
}

void read_tracks(const Field& list, Subscribe& subscribe) {
  for (const Field& field : list.items({0, kMaxTracks})) {
    SubscribedTrack track = read_track(field);
    const auto is_same = [&](const SubscribedTrack& other) { return other.name == track.name; };
    if (std::any_of(subscribe.tracks.begin(), subscribe.tracks.end(), is_same)) {
      field.refuse("the track " + quote(track.name) + " stands here twice");
    }
    check_destination(field, track, subscribe);
    subscribe.tracks.push_back(std::move(track));
  }
}

}  // namespace

Subscribe decode_subscribe(const Field& request) {
  Subscribe subscribe;
  subscribe.stream = require_name(request, "stream");
  request.read_into(subscribe.wait, "wait_ms",
                    [](const Field& field) { return field.milliseconds({0, kLongestWait}); });
  request.read_into(subscribe.paused, "paused", &Field::boolean);
  request.read_into(subscribe.layers, "layers", read_layers);

  auto leg = read_leg(request);
  if (!leg) return subscribe;
  subscribe.leg = std::move(*leg);
  const Destination destination = read_destination(request);
  subscribe.to = destination.to;
  subscribe.latch = destination.latch;
  if (const auto tracks = request.find("tracks")) read_tracks(*tracks, subscribe);
  if (subscribe.tracks.empty() && has_destination(subscribe.leg) && !subscribe.to &&
      !subscribe.latch) {
    request.refuse("the leg has no address; write 'to' into it, or 'latch' when it is srtp");
  }
  return subscribe;
}

}  // namespace runnel::signalling
