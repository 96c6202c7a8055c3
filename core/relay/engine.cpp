#include "core/relay/engine.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/relay/control_delivery.h"
#include "core/relay/engine_state.h"
#include "core/relay/intake.h"
#include "core/relay/locating.h"
#include "core/relay/media_delivery.h"
#include "core/relay/refusals.h"
#include "core/relay/relay_membership.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

bool is_drained(const EngineState& state) noexcept {
  return state.burst.tracks().empty() && state.control.empty() && state.farewells.empty();
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
  if (!state_->shut_down) take_datagrams(*state_, batch);
}

void Engine::handle_messages(Timestamp now, std::span<const IncomingMessage> batch) noexcept {
  RUNNEL_CHECK(state_->burst.tracks().empty());
  state_->now = now;
  if (!state_->shut_down) take_messages(*state_, batch);
}

void Engine::handle_timeout(Timestamp now) noexcept {
  state_->now = now;
  while (const auto track = state_->deadlines.take_due(now)) {
    run_due(*state_, state_->tracks[*track]);
  }
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
  // Packets that cannot be sealed may leave an outbox empty before the end.
  while (outbox.empty() && !is_drained(*state_)) {
    state_->farewells.deliver(outbox);
    Sealer sealer(*state_, outbox);
    deliver_media(*state_, outbox, sealer);
    deliver_control(*state_, outbox, sealer);
    sealer.finish();
  }
  return !outbox.empty();
}

std::optional<Timestamp> Engine::next_timeout() const noexcept {
  return state_->deadlines.earliest();
}

void Engine::take_events(std::vector<Event>& out) {
  bury_departed(*state_);
  state_->events.take(out);
  if (is_drained(*state_)) state_->departures.told();
}

const DropCounters& Engine::stray_drops() const noexcept {
  return state_->stray_drops;
}

}  // namespace runnel::relay
