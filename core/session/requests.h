// The verbs: one function for each request that a session can make.
#pragma once

#include <optional>

#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"
#include "core/signalling/request.h"

namespace runnel::session {

/// Who asks, when, and what the answer has to quote.
struct Call {
  const Moment& moment;
  SessionNumber session{};
  std::optional<signalling::RequestId> request;  // nullopt: it cannot be answered later
};

[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Publish& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Unpublish& wish);
/// nullopt: it waits for its stream, and is answered then.
[[nodiscard]] std::optional<Result> handle(DeskState& state, const Call& call,
                                           signalling::Subscribe&& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call,
                            const signalling::Unsubscribe& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Update& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::PeerAnswer& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Restart& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Watch& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Stats& wish);
[[nodiscard]] Result handle(DeskState& state, const Call& call, const signalling::Report& wish);

/// Whether the session may have one more leg.
[[nodiscard]] Expected<void> check_room(const DeskState& state, const SessionRecord& session);
/// The leg of the session, of this role.
[[nodiscard]] Expected<LegRecord*> find_own_leg(SessionRecord& session, signalling::LegNumber leg,
                                                signalling::LegRole role);

/// The track's media has begun: what its clock was said to be before holds now.
void take_early_clock(DeskState& state, const Moment& moment, const LegRecord& leg,
                      LegTrack& track);
/// Sends the statistics that are due.
void send_statistics(DeskState& state, const Moment& moment, SessionNumber session);
/// Answers those that wait for a stream which now has a publisher.
void serve_waiting(DeskState& state, const Moment& moment, const std::string& stream);
/// The time of a waiting subscription is over.
void give_up_waiting(DeskState& state, std::uint64_t waiting);

}  // namespace runnel::session
