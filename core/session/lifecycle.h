// How legs, streams and sessions come to their end, and who is told.
#pragma once

#include <string>

#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/signalling/answer.h"

namespace runnel::session {

/// The engine and all tables forget a leg. The client is told, when there is a reason to tell.
void end_leg(DeskState& state, const Moment& moment, const LegKey& key,
             std::optional<signalling::LegEndReason> reason);
/// A publication's leg goes, and its place is taken by another one: the stream stays.
void displace_publisher(DeskState& state, const Moment& moment, const StreamRecord& stream);
/// A stream without a publisher goes, with all subscriptions to it.
void end_stream(DeskState& state, const Moment& moment, const std::string& name,
                signalling::LegEndReason reason);

/// A stream's time is over: its publisher has not come back, or, made by REST, never begun.
void give_up_stream(DeskState& state, const Moment& moment, const std::string& name);

/// All that a session has goes with it.
void end_session(DeskState& state, const Moment& moment, SessionNumber session);

/// Tells everybody who watches the stream.
void tell_watchers(DeskState& state, const std::string& name, signalling::StreamEvent::What what);
[[nodiscard]] signalling::StreamSummary summary_of(const std::string& name,
                                                   const StreamRecord& stream);

/// Tells the session's client, if it is there.
void tell(DeskState& state, SessionNumber session, const signalling::Event& event,
          TextClass text_class = TextClass::signalling);

/// For the operator: what this client has done with the stream.
void note(DeskState& state, Notice::What what, const std::string& stream,
          const SessionRecord& session);

/// What the engine says of a stream's tracks and receivers.
void take_event(DeskState& state, const Moment& moment, const relay::Event& event);

}  // namespace runnel::session
