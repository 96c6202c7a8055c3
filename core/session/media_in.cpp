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

bool is_same(ByteView a, ByteView b) {
  return a.data() == b.data() && a.size() == b.size();
}

/// A frame that is longer than the intake has room for goes in parts: what is left of it waits in
/// the packetizer until the same message is given again. By any other one it is given up, since
/// the packetizer borrows it.
Taken take_frame(DeskState& state, const MessageLeg& leg, MessageTrack& track,
                 const frames::MediaMessage& message) {
  if (!is_same(track.packetizing, message.body)) {
    track.packetizing = {};
    const auto begun = track.packetizer->begin(message.body, message.header.key_frame,
                                               message.header.timestamp_us);
    if (!begun) {
      ++state.media_drops.malformed;
      return Taken::done;
    }
    track.packetizing = message.body;
  }
  while (state.intake.room() > 0) {
    const std::size_t size = track.packetizer->next(state.intake.next_slot());
    if (size == 0) {
      track.packetizing = {};
      return Taken::done;
    }
    state.intake.push(leg.channel, leg.relay, track.medium, size);
  }
  return Taken::flush_first;
}

/// nullptr: the connection's session has no such channel.
const MediaRoute* find_route(const DeskState& state, const ConnectionRecord& connection,
                             std::uint16_t channel) {
  if (!connection.session) return nullptr;
  const auto& routes = state.sessions.at(*connection.session).routes;
  const auto found = routes.find(channel);
  return found == routes.end() ? nullptr : &found->second;
}

}  // namespace

bool take_media(DeskState& state, ConnectionId id, ByteView bytes) {
  const ConnectionRecord* connection = state.listening(id);
  if (connection == nullptr) return true;
  if (connection->voice) {
    close_connection(state, id, kUnsupportedData, "this connection takes texts alone");
    return true;
  }
  const auto message = frames::parse_media_message(bytes);
  if (!message) {
    close_connection(state, id, kUnsupportedData,
                     "not a media message: " + std::string(frames::to_string(message.error())));
    return true;
  }
  const MediaRoute* route = find_route(state, *connection, message->header.channel);
  MessageLeg* leg = route == nullptr ? nullptr : state.message_legs.find(route->leg);
  if (leg == nullptr) {
    // What was on its way when the leg ended.
    ++state.media_drops.unknown_channel;
    return true;
  }
  const bool is_frame = message->header.kind == frames::MessageKind::encoded_frame;
  if (!leg->is_publication || is_frame != (leg->format == signalling::MediaFormat::frame)) {
    ++state.media_drops.wrong_kind;
    return true;
  }
  MessageTrack& track = leg->tracks[route->medium];
  const Taken taken = is_frame ? take_frame(state, *leg, track, *message)
                               : take_packet(state, *leg, track, message->body);
  return taken == Taken::done;
}

}  // namespace runnel::session
