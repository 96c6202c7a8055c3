#include "core/session/websocket_leg.h"

#include <algorithm>

namespace runnel::session {
namespace {

std::uint16_t next_channel(SessionRecord& session) {
  const auto is_taken = [&session](std::uint16_t channel) {
    return channel == 0 || session.routes.contains(channel);
  };
  do {
    ++session.last_channel;
  } while (is_taken(session.last_channel));
  return session.last_channel;
}

}  // namespace

relay::ChannelId open_channels(DeskState& state, const LegKey& key, SessionRecord& session,
                               LegRecord& leg) {
  MessageLeg message_leg;
  message_leg.key = key;
  message_leg.is_publication = leg.role == signalling::LegRole::publication;
  message_leg.format = leg.format;
  message_leg.connection = session.connection;
  std::vector<LegTrack*> by_medium;
  for (LegTrack& track : leg.tracks) by_medium.push_back(&track);
  std::ranges::sort(by_medium, {}, &LegTrack::medium);
  const bool is_framed = leg.format == signalling::MediaFormat::frame;
  for (LegTrack* track : by_medium) {
    const std::uint16_t channel = next_channel(session);
    track->told.channel = channel;
    // Also of subscriptions, so that no number is given twice.
    session.routes.emplace(channel, MediaRoute{});
    MessageTrack& added =
        message_leg.tracks.emplace_back(channel, track->told.codec, track->medium);
    if (!is_framed) continue;
    if (message_leg.is_publication) {
      if (track->told.ssrc == 0) track->told.ssrc = state.random.u32();
      added.packetizer = std::make_unique<frames::FramePacketizer>(
          track->told.codec,
          frames::PacketizerOptions{
              .ssrc = track->told.ssrc,
              .payload_type = track->told.payload_type,
              .first_sequence_number = static_cast<std::uint16_t>(state.random.u32() & 0x7fff),
              .first_timestamp = {state.random.u32()},
              .first_picture_id = static_cast<std::uint16_t>(state.random.u32() & 0x7fff)});
    } else {
      added.assembler = std::make_unique<frames::FrameAssembler>(track->told.codec);
    }
  }
  const relay::ChannelId id = state.message_legs.add(std::move(message_leg));
  leg.channel = id;
  for (const LegTrack* track : by_medium) {
    if (!track->told.channel) continue;
    session.routes[*track->told.channel] = {id, track->medium};
  }
  return id;
}

void place_message_leg(DeskState& state, const LegRecord& leg) {
  if (!leg.channel) return;
  MessageLeg* message_leg = state.message_legs.find(*leg.channel);
  message_leg->relay = leg.relay;
  message_leg->receiver = leg.receiver.value_or(0);
}

void close_channels(DeskState& state, SessionRecord& session, const LegRecord& leg) {
  if (!leg.channel) return;
  for (const LegTrack& track : leg.tracks) {
    if (track.told.channel) session.routes.erase(*track.told.channel);
  }
  state.message_legs.remove(*leg.channel);
}

}  // namespace runnel::session
