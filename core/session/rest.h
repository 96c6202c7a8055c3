// /v1/streams and below: HTTP calls as the requests that they are, in a session of their token.
#pragma once

#include "core/session/desk.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"

namespace runnel::session {

/// All calls with one token share one session, and so do all without any where none is needed. It
/// has no connection: its publications end with their media, its subscriptions with their stream,
/// and it ends with the last of them.
[[nodiscard]] RestAnswer answer_rest(DeskState& state, const Moment& moment, const Client& client,
                                     const RestRequest& request);

}  // namespace runnel::session
