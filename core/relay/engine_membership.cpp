// The part of the engine that is told of relays and their legs, and tells of them.
#include <utility>

#include "core/base/check.h"
#include "core/relay/admission.h"
#include "core/relay/destination.h"
#include "core/relay/encodings.h"
#include "core/relay/engine.h"
#include "core/relay/engine_state.h"
#include "core/relay/receiver_input.h"
#include "core/relay/receiver_leg.h"
#include "core/relay/relay_membership.h"
#include "core/relay/rtcp_draft.h"
#include "core/relay/snapshot.h"
#include "core/relay/source_control.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

/// What is removed now must not be on its way, neither as media nor half told.
void check_drained(const EngineState& state) {
  RUNNEL_CHECK(state.burst.tracks().empty() && state.control_cursor == 0);
}

/// The number of a relay that is not removed.
std::uint32_t living_relay(const EngineState& state, std::size_t relay) {
  RUNNEL_CHECK(state.relays.holds(relay) && !state.relays[relay].removed);
  return static_cast<std::uint32_t>(relay);
}

std::uint32_t leg_of(const EngineState& state, std::size_t relay, std::size_t receiver) {
  RUNNEL_CHECK(state.relays.holds(relay) && state.relays[relay].legs.holds(receiver));
  return state.relays[relay].legs[receiver];
}

/// The index of a leg that is not removed.
std::uint32_t living_leg(const EngineState& state, std::size_t relay, std::size_t receiver) {
  const std::uint32_t leg = leg_of(state, relay, receiver);
  RUNNEL_CHECK(!state.legs[leg].removed);
  return leg;
}

const ReceiverTrack& receiver_of(const EngineState& state, const ReceiverMediumId& id) {
  const ReceiverLegState& leg = state.legs[leg_of(state, id.relay, id.receiver)];
  RUNNEL_CHECK(id.medium < leg.receivers.size());
  return state.receivers[leg.receivers[id.medium]];
}

ReceiverTrack& living_receiver(EngineState& state, const ReceiverMediumId& id) {
  const ReceiverLegState& leg = state.legs[living_leg(state, id.relay, id.receiver)];
  RUNNEL_CHECK(id.medium < leg.receivers.size());
  return state.receivers[leg.receivers[id.medium]];
}

const SourceTrack& track_of(const EngineState& state, std::size_t relay, std::size_t medium) {
  RUNNEL_CHECK(state.relays.holds(relay) && medium < state.relays[relay].tracks.size());
  return state.tracks[state.relays[relay].tracks[medium]];
}

}  // namespace

std::expected<std::size_t, RelayError> Engine::add_relay(RelayDescription relay) {
  check_drained(*state_);
  bury_departed(*state_);
  if (const auto verdict = check_relay(*state_, relay); !verdict) {
    return std::unexpected(verdict.error());
  }
  return relay::add_relay(*state_, std::move(relay));
}

void Engine::remove_relay(std::size_t relay) {
  check_drained(*state_);
  relay::remove_relay(*state_, living_relay(*state_, relay));
}

std::expected<void, RelayError> Engine::replace_source(std::size_t relay, SourceLeg from) {
  check_drained(*state_);
  const std::uint32_t number = living_relay(*state_, relay);
  if (const auto verdict = check_replacement(*state_, number, from); !verdict) return verdict;
  relay::replace_source(*state_, number, std::move(from));
  return {};
}

void Engine::detach_source(std::size_t relay) {
  check_drained(*state_);
  relay::detach_source(*state_, living_relay(*state_, relay));
}

std::expected<std::size_t, RelayError> Engine::add_receiver(std::size_t relay, ReceiverLeg leg) {
  check_drained(*state_);
  bury_departed(*state_);
  const std::uint32_t number = living_relay(*state_, relay);
  if (const auto verdict = check_receiver(*state_, number, leg); !verdict) {
    return std::unexpected(verdict.error());
  }
  return relay::add_receiver(*state_, number, std::move(leg));
}

void Engine::remove_receiver(std::size_t relay, std::size_t receiver) {
  check_drained(*state_);
  remove_receiver_leg(*state_, living_leg(*state_, relay, receiver));
}

void Engine::set_paused(std::size_t relay, std::size_t receiver, bool paused) {
  check_drained(*state_);
  ReceiverLegState& leg = state_->legs[living_leg(*state_, relay, receiver)];
  relay::set_paused(*state_, leg, paused);
}

void Engine::set_layers(ReceiverMediumId id, const LayerWish& wish) {
  check_drained(*state_);
  ReceiverTrack& receiver = living_receiver(*state_, id);
  receiver.layers = wish;
  want_encoding(*state_, receiver);
}

std::uint32_t Engine::draw_ssrc() {
  return state_->ssrcs.reserve_one();
}

void Engine::release_ssrc(std::uint32_t ssrc) noexcept {
  state_->ssrcs.release(ssrc);
}

bool Engine::set_destination(ReceiverMediumId id, SocketAddress rtp, SocketAddress rtcp) {
  ReceiverTrack& receiver = living_receiver(*state_, id);
  if (receiver.rtp_destination == rtp && receiver.rtcp_destination == rtcp) return true;
  if (!place_receiver(*state_, receiver, rtp, rtcp)) return false;
  relay::request_key_frame(*state_, state_->tracks[receiver.source]);
  return true;
}

void Engine::request_key_frame(ReceiverMediumId id) noexcept {
  want_key_frame(*state_, living_receiver(*state_, id));
}

void Engine::note_report(Timestamp now, ReceiverMediumId id,
                         const ReceiverReport& report) noexcept {
  state_->now = now;
  take_report(living_receiver(*state_, id), report);
}

void Engine::note_sender_report(Timestamp now, std::size_t relay, std::size_t medium, NtpTime ntp,
                                RtpTime rtp) noexcept {
  state_->now = now;
  const SourceTrack& track = track_of(*state_, living_relay(*state_, relay), medium);
  take_source_clock(*state_, state_->tracks[track.index], ntp, rtp);
}

RelayStatistics Engine::statistics(std::size_t relay) const {
  return snapshot(*state_, living_relay(*state_, relay));
}

std::vector<EncodingStatistics> Engine::encodings(std::size_t relay, std::size_t medium) const {
  return snapshot_of_encodings(*state_, track_of(*state_, living_relay(*state_, relay), medium));
}

std::size_t Engine::relay_count() const noexcept {
  return state_->streams.size();
}

std::vector<std::size_t> Engine::relays() const {
  std::vector<std::size_t> numbers;
  for (const std::uint32_t relay : state_->relays.numbers()) {
    if (!state_->relays[relay].removed) numbers.push_back(relay);
  }
  return numbers;
}

std::optional<std::size_t> Engine::find_relay(std::string_view stream) const {
  const auto found = state_->streams.find(stream);
  if (found == state_->streams.end()) return std::nullopt;
  return found->second;
}

std::string_view Engine::stream_name(std::size_t relay) const {
  RUNNEL_CHECK(state_->relays.holds(relay));
  return state_->relays[relay].stream;
}

std::string_view Engine::medium_name(std::size_t relay, std::size_t medium) const {
  return track_of(*state_, relay, medium).name;
}

std::string_view Engine::medium_name(ReceiverMediumId id) const {
  return state_->tracks[receiver_of(*state_, id).source].name;
}

std::uint32_t Engine::receiver_ssrc(ReceiverMediumId id) const {
  return receiver_of(*state_, id).ssrc;
}

std::optional<std::uint32_t> Engine::retransmission_ssrc(ReceiverMediumId id) const {
  const ReceiverTrack& receiver = receiver_of(*state_, id);
  if (!receiver.webrtc || !receiver.webrtc->agreed.retransmission_payload_type) {
    return std::nullopt;
  }
  return receiver.webrtc->retransmission_ssrc;
}

std::string_view Engine::canonical_name(std::size_t relay) const {
  RUNNEL_CHECK(state_->relays.holds(relay));
  return text(state_->relays[relay].cname);
}

std::optional<SocketAddress> Engine::receiver_destination(ReceiverMediumId id) const {
  return receiver_of(*state_, id).rtp_destination;
}

}  // namespace runnel::relay
