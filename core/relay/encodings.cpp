#include "core/relay/encodings.h"

#include <algorithm>
#include <array>

#include "core/base/serial_number.h"
#include "core/relay/encoding_choice.h"
#include "core/relay/media_clock.h"
#include "core/relay/peer_membership.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

/// Sender reports that differ by more from when packets arrive are not believed.
constexpr std::int32_t kMostClockError = 1;  // seconds

bool flows(const EngineState& state, const SourceTrack& track) noexcept {
  return track.is_flowing() && state.now - track.last_packet < kEncodingSilence;
}

std::uint32_t choose(EngineState& state, const ReceiverTrack& receiver) noexcept {
  const SourceTrack& first = state.tracks[state.tracks[receiver.source].first];
  std::array<EncodingState, kMaxEncodings> encodings;
  std::array<std::uint32_t, kMaxEncodings> indices{};
  std::size_t count = 0;
  for (SourceTrack& track : state.encodings_beside(first)) {
    if (!track.is_offered) continue;
    EncodingState& encoding = encodings[count];
    encoding.rid = track.rid;
    encoding.flowing = flows(state, track);
    if (track.picture_size) encoding.height = track.picture_size->height;
    encoding.bitrate = track.bitrate.bits_per_second(state.now);
    indices[count++] = track.index;
  }
  if (count == 0) return first.index;
  const auto choice = choose_encoding(std::span(encodings).first(count), receiver.layers);
  if (choice) return indices[*choice];
  // Nothing flows: what it has may come back first.
  return state.tracks[receiver.source].is_offered ? receiver.source : indices[0];
}

/// Whether it can begin at a key frame alone.
bool needs_key_frame(const EngineState& state, const ReceiverTrack& receiver) noexcept {
  const SourceTrack& track = state.tracks[receiver.source];
  const bool shows_key_frames =
      frames::is_video(track.format) && track.format != frames::Format::other_video;
  return shows_key_frames && (receiver.webrtc || state.tracks[track.first].encodings.size() > 1);
}

void stop_waiting(EngineState& state, ReceiverTrack& receiver) noexcept {
  if (!receiver.next_source) return;
  std::erase(state.tracks[*receiver.next_source].waiting, receiver.index);
  receiver.next_source.reset();
}

void move_overdue_report(SourceTrack& from, SourceTrack& to, const ReceiverTrack& receiver) {
  if (!receiver.sender_report_overdue) return;
  --from.overdue_sender_reports;
  ++to.overdue_sender_reports;
}

/// Where the wall clocks of both are known, what the timestamp of `first` would be if the old
/// encoding had sent it.
std::optional<std::uint32_t> by_wall_clock(const EngineState& state, const SourceTrack& from,
                                           const SourceTrack& to) noexcept {
  if (!from.clock || !to.clock) return std::nullopt;
  const std::uint32_t rate = to.codec.clock_rate;
  const auto ahead = static_cast<std::int64_t>(from.clock->ntp_at(state.now).value -
                                               to.clock->ntp_at(state.now).value);
  const auto ahead_ticks = static_cast<std::int64_t>((ahead >> 16) * rate >> 16);
  return from.clock->rtp_at(state.now, rate).value - to.clock->rtp_at(state.now, rate).value -
         static_cast<std::uint32_t>(ahead_ticks);
}

/// So that the receiver's timestamps go on as its time does.
void align_timestamps(EngineState& state, ReceiverTrack& receiver, const SourceTrack& from,
                      const SourceTrack& to, RtpTime first) noexcept {
  if (!receiver.newest_time) return;
  const std::uint32_t newest = receiver.newest_time->timestamp.value;
  const std::uint32_t rate = to.codec.clock_rate;
  const std::uint32_t by_arrival =
      newest + ticks(state.now - receiver.newest_time->when, rate) - first.value;
  std::uint32_t offset = by_arrival;
  if (const auto between = by_wall_clock(state, from, to)) {
    const std::uint32_t by_clock = receiver.timestamp_offset + *between;
    const auto error = static_cast<std::int32_t>(by_clock - by_arrival);
    const auto most = kMostClockError * static_cast<std::int32_t>(rate);
    if (error > -most && error < most) offset = by_clock;
  }
  const RtpTime sent{first.value + offset};
  if (!serial_after(sent.value, newest)) offset = newest + 1 - first.value;
  receiver.timestamp_offset = offset;
}

/// From the packet at `place` of `to` on.
void follow(EngineState& state, ReceiverTrack& receiver, SourceTrack& to,
            const LinePlace& place) noexcept {
  SourceTrack& from = state.tracks[receiver.source];
  if (receiver.follows) std::erase(from.receivers, receiver.index);
  if (receiver.begun) {
    move_overdue_report(from, to, receiver);
    if (from.index != to.index) align_timestamps(state, receiver, from, to, place.timestamp);
    receiver.sequence.pause();
  }
  receiver.next_source.reset();
  receiver.source = to.index;
  receiver.follows = true;
  receiver.first_position = place.position;
  to.receivers.push_back(receiver.index);
}

}  // namespace

void add_encoding(EngineState& state, std::uint32_t relay, std::uint32_t first) {
  const std::uint32_t index = state.tracks.next_number();
  const SourceTrack& one = state.tracks[first];
  SourceMedium medium;
  medium.name = one.name;
  medium.codec = one.codec;
  SourceTrack track(index, relay, one.medium, medium, state.limits);
  track.first = first;
  track.encoding = static_cast<std::uint32_t>(one.encodings.size());
  const std::size_t room = one.receivers.capacity();
  track.receivers.reserve(room);
  track.waiting.reserve(room);
  state.tracks.add(std::move(track));
  state.tracks[first].encodings.push_back(index);
  state.relays[relay].encodings.push_back(index);
  resize_for_tracks(state);
}

void resize_for_tracks(EngineState& state) {
  const std::size_t tracks = state.tracks.bound();
  state.burst.resize_tracks(tracks);
  state.control.resize(tracks);
  state.deadlines.resize(tracks);
}

void join_encoding(EngineState& state, ReceiverTrack& receiver) {
  SourceTrack& first = state.tracks[receiver.source];
  // Nobody may allocate when a key frame comes.
  std::size_t all = 1;
  for (const SourceTrack& track : state.encodings_beside(first)) {
    all += track.receivers.size() + track.waiting.size();
  }
  for (SourceTrack& track : state.encodings_beside(first)) {
    if (track.receivers.capacity() < all) track.receivers.reserve(2 * all);
    if (track.waiting.capacity() < all) track.waiting.reserve(2 * all);
  }
  if (needs_key_frame(state, receiver)) return want_encoding(state, receiver);
  receiver.follows = true;
  first.receivers.push_back(receiver.index);
}

void leave_encodings(EngineState& state, ReceiverTrack& receiver) noexcept {
  stop_waiting(state, receiver);
  if (receiver.follows) std::erase(state.tracks[receiver.source].receivers, receiver.index);
  receiver.follows = false;
}

void begin_again(EngineState& state, ReceiverTrack& receiver) noexcept {
  if (receiver.webrtc && receiver.follows && !receiver.next_source &&
      needs_key_frame(state, receiver)) {
    std::erase(state.tracks[receiver.source].receivers, receiver.index);
    receiver.follows = false;
  }
  want_encoding(state, receiver);
}

void await_key_frame(EngineState& state, SourceTrack& track) noexcept {
  std::erase_if(track.receivers, [&](std::uint32_t index) {
    ReceiverTrack& receiver = state.receivers[index];
    // Another encoding, for which it waits already, may be long in coming.
    const bool may_wait = receiver.webrtc && !receiver.next_source;
    if (!may_wait || !needs_key_frame(state, receiver)) return false;
    receiver.follows = false;
    receiver.next_source = track.index;
    track.waiting.push_back(index);
    return true;
  });
}

void want_encoding(EngineState& state, ReceiverTrack& receiver) noexcept {
  const std::uint32_t wanted = choose(state, receiver);
  if (receiver.follows && wanted == receiver.source) return stop_waiting(state, receiver);
  if (receiver.next_source != wanted) {
    stop_waiting(state, receiver);
    receiver.next_source = wanted;
    state.tracks[wanted].waiting.push_back(receiver.index);
    if (!receiver.follows && !receiver.begun) receiver.source = wanted;
  }
  if (can_be_reached(receiver)) request_key_frame(state, state.tracks[wanted]);
}

void reconsider_encodings(EngineState& state, const SourceTrack& track) noexcept {
  for (SourceTrack& encoding : state.encodings_beside(track)) {
    // Those who begin to wait join the end of `waiting` of an encoding, and change nothing before.
    for (std::size_t i = 0; i < encoding.receivers.size(); ++i) {
      want_encoding(state, state.receivers[encoding.receivers[i]]);
    }
    for (std::size_t i = encoding.waiting.size(); i > 0; --i) {
      ReceiverTrack& receiver = state.receivers[encoding.waiting[i - 1]];
      if (!receiver.follows) want_encoding(state, receiver);
    }
  }
}

void lead_over(EngineState& state, SourceTrack& track, const LinePlace& place) noexcept {
  for (const std::uint32_t index : track.waiting) {
    follow(state, state.receivers[index], track, place);
  }
  track.waiting.clear();
}

}  // namespace runnel::relay
