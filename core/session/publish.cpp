// publish and unpublish.
#include <algorithm>
#include <utility>

#include "core/session/lifecycle.h"
#include "core/session/peers.h"
#include "core/session/requests.h"
#include "core/session/source_leg.h"
#include "core/session/webrtc_leg.h"
#include "core/session/websocket_leg.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::chrono::milliseconds kRetryWhenBusy{2'000};

bool is_same_codec(const rtp::Codec& a, const rtp::Codec& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.kind == b.kind && a.clock_rate == b.clock_rate &&
         std::ranges::equal(a.name, b.name, {}, lower, lower);
}

/// For each track of the stream the medium of the wish that goes on with it, preferably the one of
/// the same name; nullopt: they are not the same tracks.
std::optional<std::vector<std::size_t>> match_tracks(
    const StreamRecord& stream, const std::vector<relay::SourceMedium>& media) {
  if (stream.tracks.size() != media.size()) return std::nullopt;
  std::vector<std::size_t> order;
  std::vector<bool> used(media.size());
  for (const StreamTrack& track : stream.tracks) {
    std::optional<std::size_t> match;
    for (std::size_t i = 0; i < media.size(); ++i) {
      if (used[i] || !is_same_codec(track.codec, media[i].codec)) continue;
      if (!match || media[i].name == track.name) match = i;
    }
    if (!match) return std::nullopt;
    used[*match] = true;
    order.push_back(*match);
  }
  return order;
}

/// Whether nothing comes by it any more: none of its media, or nothing at all.
bool is_silent(DeskState& state, const StreamRecord& stream, const PeerKey& peer) {
  return stream.state() == signalling::StreamState::stalled || find_peer(state, peer)->is_stalled;
}

/// A peer connection that is silent, and whose client is here again: it has crashed, or its network
/// has changed, and the server has not given it up yet.
bool is_left_behind(DeskState& state, const SessionRecord& session, const StreamRecord& stream) {
  const LegKey& publication = *stream.publication;
  const LegRecord& leg = *state.find_leg(publication);
  if (!leg.peer || !is_silent(state, stream, {publication.session, *leg.peer})) return false;
  const SessionRecord& other = state.sessions.at(publication.session);
  return other.identity.key == session.identity.key &&
         (session.identity.key != 0 || other.address == session.address);
}

Expected<void> check_free(DeskState& state, SessionNumber number, const SessionRecord& session,
                          const StreamRecord* stream, const signalling::Publish& wish) {
  if (stream == nullptr) return {};
  if (stream->is_configured) {
    return refuse(ErrorCode::stream_busy,
                  "the stream '" + wish.stream + "' has its source in the configuration");
  }
  if (stream->publication && is_left_behind(state, session, *stream)) return {};
  if (!stream->publication || wish.take_over) {
    if (!stream->publication || session.identity.permissions.may_take_over(wish.stream)) return {};
    return refuse(ErrorCode::forbidden, "this token does not allow to take over a stream");
  }
  if (stream->publication->session == number) {
    return refuse(ErrorCode::stream_busy, "this session publishes '" + wish.stream + "' already");
  }
  return refuse(ErrorCode::stream_busy, "somebody else publishes '" + wish.stream + "'",
                kRetryWhenBusy);
}

/// A publication on its way from the wish to the tables.
struct NewPublication {
  LegKey key;
  LegRecord leg;
  relay::SourceLeg source;
};

NewPublication prepare(DeskState& state, const LegKey& key, SessionRecord& session,
                       const signalling::Publish& wish, PlannedSource& plan,
                       const std::vector<std::size_t>& order) {
  NewPublication made{.key = key, .leg = {}, .source = std::move(plan.leg)};
  made.leg.role = signalling::LegRole::publication;
  made.leg.stream = wish.stream;
  made.leg.format = plan.told.format;
  for (std::size_t i = 0; i < plan.told.tracks.size(); ++i) {
    const auto place = std::ranges::find(order, i) - order.begin();
    made.leg.tracks.push_back(
        {.told = plan.told.tracks[i], .medium = static_cast<std::size_t>(place)});
  }
  std::vector<relay::SourceMedium> media;
  for (const std::size_t i : order) media.push_back(std::move(made.source.media[i]));
  made.source.media = std::move(media);
  if (std::holds_alternative<signalling::WebSocketOffer>(wish.leg)) {
    made.source.channel = open_channels(state, key, session, made.leg);
  }
  return made;
}

StreamRecord& add_stream(DeskState& state, const std::string& name, std::size_t relay,
                         const NewPublication& made,
                         const std::vector<relay::SourceMedium>& media) {
  StreamRecord& stream = state.streams[name];
  stream.number = StreamNumber{++state.last_stream};
  stream.relay = relay;
  state.stream_names.emplace(stream.number, name);
  for (const relay::SourceMedium& medium : media) {
    stream.tracks.push_back(
        {.name = medium.name, .codec = medium.codec, .payload_type = medium.payload_type});
  }
  stream.publication = made.key;
  return stream;
}

/// Frames of the source that was there do not go on with packets of this one.
void interrupt_frames(DeskState& state, const StreamRecord& stream) {
  for (const LegKey& key : stream.subscriptions) {
    const LegRecord* leg = state.find_leg(key);
    if (!leg->channel) continue;
    for (MessageTrack& track : state.message_legs.find(*leg->channel)->tracks) {
      if (track.assembler) track.assembler->lose();
    }
  }
}

Expected<StreamRecord*> establish(DeskState& state, const Moment& moment, NewPublication& made,
                                  StreamRecord* stream, const std::string& name) {
  const std::vector<relay::SourceMedium> media = made.source.media;
  if (stream == nullptr) {
    const auto relay =
        state.engine.add_relay({.stream = name, .from = std::move(made.source), .to = {}});
    if (!relay) return std::unexpected(from_engine(relay.error()));
    return &add_stream(state, name, *relay, made, media);
  }
  if (const auto replaced = state.engine.replace_source(stream->relay, std::move(made.source));
      !replaced) {
    return std::unexpected(from_engine(replaced.error()));
  }
  displace_publisher(state, moment, *stream);
  interrupt_frames(state, *stream);
  for (std::size_t i = 0; i < media.size(); ++i) {
    stream->tracks[i].codec = media[i].codec;
    stream->tracks[i].payload_type = media[i].payload_type;
  }
  stream->publication = made.key;
  state.deadlines.clear({Due::Kind::stream, static_cast<std::uint64_t>(stream->number)});
  return stream;
}

std::size_t signalled_streams(const DeskState& state) {
  return state.streams.size() - state.settings.configured.size();
}

}  // namespace

Result handle(DeskState& state, const Call& call, const signalling::Publish& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  if (!session.identity.permissions.allows(auth::Action::publish, wish.stream)) {
    return refuse(ErrorCode::forbidden,
                  "this token does not allow to publish '" + wish.stream + "'");
  }
  if (const auto room = check_room(state, session); !room) return std::unexpected(room.error());
  StreamRecord* stream = state.find_stream(wish.stream);
  const bool takes_over = stream != nullptr && stream->publication;
  if (const auto free = check_free(state, call.session, session, stream, wish); !free) {
    return std::unexpected(free.error());
  }
  if (stream == nullptr && signalled_streams(state) >= state.settings.limits.streams) {
    return refuse(ErrorCode::full, "the server has as many streams as it may", kRetryWhenBusy);
  }
  auto plan = plan_source(state, call.moment, session.address, wish);
  if (!plan) return std::unexpected(plan.error());

  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < plan->leg.media.size(); ++i) order.push_back(i);
  if (stream != nullptr) {
    if (auto match = match_tracks(*stream, plan->leg.media)) {
      order = std::move(*match);
    } else if (stream->publication) {
      discard(state, *plan);
      return refuse(ErrorCode::other_tracks,
                    "a stream is taken over with the same kinds of tracks and codecs only");
    } else {
      end_stream(state, call.moment, wish.stream, signalling::LegEndReason::tracks_changed);
      stream = nullptr;
    }
  }
  const LegKey key{call.session, session.next_leg++};
  NewPublication made = prepare(state, key, session, wish, *plan, order);
  const auto established = establish(state, call.moment, made, stream, wish.stream);
  if (!established) {
    close_channels(state, session, made.leg);
    discard(state, *plan);
    return std::unexpected(established.error());
  }
  made.leg.relay = (*established)->relay;
  place_message_leg(state, made.leg);
  ++state.publications;
  note(state, takes_over ? Notice::What::taken_over : Notice::What::published, wish.stream,
       session);
  if (session.is_rest && !plan->webrtc) {
    const auto number = static_cast<std::uint64_t>((*established)->number);
    state.deadlines.set({Due::Kind::stream, number}, call.moment.now + state.settings.limits.hold);
  }

  signalling::Leg told = std::move(plan->told);
  told.leg = key.leg;
  if (plan->webrtc) told.webrtc = join_peer(state, key, made.leg, *plan->webrtc);
  for (std::size_t i = 0; i < told.tracks.size(); ++i) told.tracks[i] = made.leg.tracks[i].told;
  session.legs.emplace(key.leg, std::move(made.leg));
  tell_watchers(state, wish.stream, signalling::StreamEvent::What::tracks);
  serve_waiting(state, call.moment, wish.stream);
  return told;
}

Result handle(DeskState& state, const Call& call, const signalling::Unpublish& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  const auto leg = find_own_leg(session, wish.leg, signalling::LegRole::publication);
  if (!leg) return std::unexpected(leg.error());
  end_leg(state, call.moment, {call.session, wish.leg}, std::nullopt);
  return signalling::Done{};
}

}  // namespace runnel::session
