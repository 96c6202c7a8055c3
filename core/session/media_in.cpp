#include "core/session/media_in.h"

#include "core/frames/media_message.h"
#include "core/session/conversation.h"

namespace runnel::session {
namespace {

constexpr std::uint16_t kUnsupportedData = 1003;

enum class Taken : std::uint8_t { done, flush_first };

Taken take_packet(DeskState& state, const MessageLeg& leg, const MessageTrack& track,
                  ByteView packet) {
  if (state.intake.room() == 0) return Taken::flush_first;
  if (packet.size() > kMaxDatagramSize) {
    ++state.media_drops.oversized;
    return Taken::done;
  }
  copy_bytes(state.intake.next_slot(), packet);
  state.intake.push(leg.channel, leg.relay, track.medium, packet.size());
  return Taken::done;
}

/// A frame that is longer than the intake has room for goes in parts: what is left of it waits in
/// the packetizer until the same message is given again.
Taken take_frame(DeskState& state, const MessageLeg& leg, MessageTrack& track,
                 const frames::MediaMessage& message) {
  if (!track.is_packetizing) {
    const auto begun = track.packetizer->begin(message.body, message.header.key_frame,
                                               message.header.timestamp_us);
    if (!begun) {
      ++state.media_drops.malformed;
      return Taken::done;
    }
    track.is_packetizing = true;
  }
  while (state.intake.room() > 0) {
    const std::size_t size = track.packetizer->next(state.intake.next_slot());
    if (size == 0) {
      track.is_packetizing = false;
      return Taken::done;
    }
    state.intake.push(leg.channel, leg.relay, track.medium, size);
  }
  return Taken::flush_first;
}

}  // namespace

bool take_media(DeskState& state, ConnectionId id, ByteView bytes) {
  const ConnectionRecord& connection = state.connections.at(id);
  if (connection.is_closing) return true;
  const auto message = frames::parse_media_message(bytes);
  if (!message) {
    close_connection(state, id, kUnsupportedData,
                     "not a media message: " + std::string(frames::to_string(message.error())));
    return true;
  }
  const SessionRecord* session = state.session_of(id);
  const auto route = session == nullptr ? decltype(session->routes.end()){}
                                        : session->routes.find(message->header.channel);
  if (session == nullptr || route == session->routes.end()) {
    // What was on its way when the leg ended.
    ++state.media_drops.unknown_channel;
    return true;
  }
  MessageLeg* leg = state.message_legs.find(route->second.leg);
  const bool is_frame = message->header.kind == frames::MessageKind::encoded_frame;
  if (!leg->is_publication || is_frame != (leg->format == signalling::MediaFormat::frame)) {
    ++state.media_drops.wrong_kind;
    return true;
  }
  MessageTrack& track = leg->tracks[route->second.medium];
  const Taken taken = is_frame ? take_frame(state, *leg, track, *message)
                               : take_packet(state, *leg, track, message->body);
  return taken == Taken::done;
}

}  // namespace runnel::session
