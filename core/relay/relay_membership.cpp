#include "core/relay/relay_membership.h"

#include <utility>

#include "core/relay/encodings.h"
#include "core/relay/peer_membership.h"
#include "core/relay/receiver_leg.h"
#include "core/relay/source_leg.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

CanonicalName draw_cname(RandomSource& random) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  CanonicalName name;
  std::array<std::uint8_t, name.size()> bytes;
  random.fill(bytes);
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = kAlphabet[bytes[i] % kAlphabet.size()];
  return name;
}

void build_tracks(EngineState& state, std::uint32_t relay, const SourceLeg& from) {
  for (const SourceMedium& medium : from.media) {
    const std::uint32_t index = state.tracks.next_number();
    std::vector<std::uint32_t>& tracks = state.relays[relay].tracks;
    const auto number = static_cast<std::uint32_t>(tracks.size());
    SourceTrack track(index, relay, number, medium, state.limits);
    track.encodings.push_back(index);
    tracks.push_back(state.tracks.add(std::move(track)));
    state.relays[relay].encodings.push_back(index);
  }
  resize_for_tracks(state);
}

/// For so many more receivers, or tracks and their replies.
void reserve(EngineState& state, std::size_t media) {
  state.ssrcs.reserve(state.ssrcs.size() + media);
  state.paths.reserve(2 * (state.receivers.size() + media));
}

std::size_t count_media(std::span<const ReceiverLeg> legs) {
  std::size_t media = 0;
  for (const ReceiverLeg& leg : legs) media += leg.media.size();
  return media;
}

void bury_relay(EngineState& state, std::uint32_t relay) {
  for (const std::uint32_t track : state.relays[relay].encodings) state.tracks.remove(track);
  state.relays.remove(relay);
}

}  // namespace

std::uint32_t add_relay(EngineState& state, RelayDescription&& described) {
  reserve(state, described.from.media.size() + count_media(described.to) + 1);
  Relay relay;
  relay.stream = described.stream;
  relay.cname = draw_cname(state.random);
  const std::uint32_t number = state.relays.add(std::move(relay));
  state.streams.emplace(std::move(described.stream), number);
  build_tracks(state, number, described.from);
  attach_source(state, number, std::move(described.from));
  for (ReceiverLeg& leg : described.to) build_receiver_leg(state, number, std::move(leg));
  return number;
}

void remove_relay(EngineState& state, std::uint32_t number) {
  Relay& relay = state.relays[number];
  for (const std::uint32_t receiver : relay.legs.numbers()) {
    const std::uint32_t leg = relay.legs[receiver];
    if (!state.legs[leg].removed) remove_receiver_leg(state, leg);
  }
  release_source(state, number);
  for (const std::uint32_t track : relay.encodings) {
    state.deadlines.clear(track);
    state.control.forget(track);
  }
  state.streams.erase(relay.stream);
  relay.removed = true;
  state.departures.add({Departed::Kind::relay, number});
}

void replace_source(EngineState& state, std::uint32_t number, SourceLeg&& from) {
  release_source(state, number);
  reserve(state, 1);
  attach_source(state, number, std::move(from));
  // It cannot be asked before it is there.
  for (SourceTrack& track : state.encodings_of(state.relays[number])) track.wants_key_frame = true;
}

void detach_source(EngineState& state, std::uint32_t number) {
  Relay& relay = state.relays[number];
  if (!relay.from) return;
  release_source(state, number);
  for (SourceTrack& track : state.encodings_of(relay)) source_said_goodbye(state, track);
}

std::uint32_t add_receiver(EngineState& state, std::uint32_t relay, ReceiverLeg&& leg) {
  reserve(state, leg.media.size());
  const std::uint32_t number = build_receiver_leg(state, relay, std::move(leg));
  const ReceiverLegState& built = state.legs[state.relays[relay].legs[number]];
  for (const ReceiverTrack& receiver : state.receivers_of(built)) {
    if (can_be_reached(receiver)) request_key_frame(state, state.tracks[receiver.source]);
  }
  return number;
}

void bury_departed(EngineState& state) {
  state.departures.bury_told([&state](const Departed& departed) {
    if (departed.kind == Departed::Kind::leg) {
      bury_leg(state, departed.index);
    } else {
      bury_relay(state, departed.index);
    }
  });
}

}  // namespace runnel::relay
