#include "core/relay/engine.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/relay/control_delivery.h"
#include "core/relay/engine_state.h"
#include "core/relay/intake.h"
#include "core/relay/locating.h"
#include "core/relay/media_delivery.h"
#include "core/relay/peer_feedback.h"
#include "core/relay/peer_input.h"
#include "core/relay/refusals.h"
#include "core/relay/relay_membership.h"
#include "core/relay/retransmissions.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

bool is_drained(const EngineState& state) noexcept {
  return state.burst.tracks().empty() && state.control.empty() && state.farewells.empty() &&
         state.links_to_tell.empty() && state.retransmissions.empty();
}

/// A deadline of no time at all would be due for ever.
EngineLimits sound(EngineLimits limits) noexcept {
  constexpr Duration kLeast = std::chrono::milliseconds(1);
  for (Duration* duration :
       {&limits.report_interval, &limits.key_frame_interval, &limits.stall, &limits.hold}) {
    *duration = std::max(*duration, kLeast);
  }
  return limits;
}

/// STUN and DTLS, as far as there is room.
void deliver_handshakes(EngineState& state, Outbox& outbox) noexcept {
  if (state.transports == nullptr) return;
  while (!outbox.full()) {
    const auto datagram = state.transports->next_datagram();
    if (!datagram) return;
    const ByteSpan slot = outbox.next_slot().first(datagram->bytes.size());
    copy_bytes(slot, datagram->bytes);
    outbox.push(OutgoingDatagram{datagram->path.port, datagram->path.remote, slot,
                                 DatagramOwner::nobody().number()});
  }
}

}  // namespace

Engine::Engine(EngineLimits limits, RandomSource& random, transport::Transports* transports)
    : state_(std::make_unique<EngineState>(sound(limits), random)) {
  state_->transports = transports;
}

Engine::~Engine() = default;

void Engine::add_shared_port(PortIndex port) {
  state_->ports.set(port, {PortUse::Kind::shared, PortUse::kNobody});
}

void Engine::handle_datagrams(Timestamp now, std::span<const IncomingDatagram> batch) noexcept {
  // What is left of the last batch would point into memory that its owner has used again.
  RUNNEL_CHECK(state_->burst.tracks().empty());
  state_->now = now;
  if (state_->shut_down) return;
  if (state_->transports != nullptr) state_->transports->begin_turn();
  take_datagrams(*state_, batch);
}

void Engine::handle_messages(Timestamp now, std::span<const IncomingMessage> batch) noexcept {
  RUNNEL_CHECK(state_->burst.tracks().empty());
  state_->now = now;
  if (!state_->shut_down) take_messages(*state_, batch);
}

void Engine::handle_timeout(Timestamp now) noexcept {
  state_->now = now;
  RUNNEL_CHECK(state_->burst.tracks().empty());
  while (const auto track = state_->deadlines.take_due(now)) {
    run_due(*state_, state_->tracks[*track]);
  }
  while (const auto link = state_->link_deadlines.take_due(now)) {
    state_->links_to_tell.push_back(*link);
  }
  if (state_->transports == nullptr || state_->shut_down) return;
  state_->transports->begin_turn();
  state_->transports->handle_timeout(now);
  settle_transports(*state_);
}

void Engine::handle_send_failure(std::uint32_t owner, DropReason reason) noexcept {
  note_send_failure(*state_, DatagramOwner(owner), reason);
}

void Engine::count_drop(PortIndex port, DropReason reason, std::uint64_t count) noexcept {
  drops_of(*state_, port).add(reason, count);
}

void Engine::handle_unreachable(PortIndex port, const SocketAddress& destination) noexcept {
  note_unreachable(*state_, port, destination);
}

void Engine::shut_down(Timestamp now) noexcept {
  if (std::exchange(state_->shut_down, true)) return;
  state_->now = now;
  for (const std::uint32_t track : state_->tracks.numbers()) {
    state_->deadlines.clear(track);
    if (state_->tracks[track].is_flowing()) {
      state_->control.add(track, ControlTask::goodbye_to_source);
    }
    state_->control.add(track, ControlTask::goodbyes);
  }
}

bool Engine::drain(Outbox& outbox) noexcept {
  outbox.clear();
  deliver_handshakes(*state_, outbox);
  // Packets that cannot be sealed may leave an outbox empty before the end.
  do {
    state_->farewells.deliver(outbox);
    Sealer sealer(*state_, outbox);
    deliver_media(*state_, outbox, sealer);
    deliver_control(*state_, outbox, sealer);
    deliver_transport_feedback(*state_, outbox, sealer);
    deliver_retransmissions(*state_, outbox, sealer);
    sealer.finish();
  } while (outbox.empty() && !is_drained(*state_));
  return !outbox.empty();
}

std::optional<Timestamp> Engine::next_timeout() const noexcept {
  std::optional<Timestamp> next = state_->deadlines.earliest();
  const auto consider = [&next](std::optional<Timestamp> when) {
    if (when) next = next ? std::min(*next, *when) : *when;
  };
  consider(state_->link_deadlines.earliest());
  if (state_->transports != nullptr && !state_->shut_down) {
    consider(state_->transports->next_timeout());
  }
  return next;
}

void Engine::take_events(std::vector<Event>& out) {
  bury_departed(*state_);
  state_->events.take(out);
  if (is_drained(*state_)) state_->departures.told();
}

void Engine::take_peer_events(std::vector<transport::Event>& out) {
  if (state_->transports != nullptr) settle_peers(*state_);
  out.insert(out.end(), state_->peer_events.begin(), state_->peer_events.end());
  state_->peer_events.clear();
}

void Engine::handle_closed_path(Timestamp now, const Path& path) noexcept {
  state_->now = now;
  if (state_->transports == nullptr) return;
  state_->transports->handle_closed_path(now, path);
  settle_peers(*state_);
}

const DropCounters& Engine::stray_drops() const noexcept {
  return state_->stray_drops;
}

}  // namespace runnel::relay
