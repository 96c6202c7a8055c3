// Who is let in: tokens, sessions, and the limits on both.
#pragma once

#include <string_view>

#include "core/auth/identity.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"

namespace runnel::session {

/// Looks at a token, unless its sender has failed too often.
[[nodiscard]] Expected<auth::Identity> identify(DeskState& state, const Moment& moment,
                                                const IpAddress& address, std::string_view token);

/// One more request, or connection, of this address; to be asked before a token is looked at, which
/// costs more. The error says how long to wait.
[[nodiscard]] Expected<void> count_request(DeskState& state, const Moment& moment,
                                           const IpAddress& address);
/// The same of this token (Identity::key; 0: there is none).
[[nodiscard]] Expected<void> count_request(DeskState& state, const Moment& moment,
                                           std::uint64_t token);

/// Of a request that comes by itself, and not on a connection: counts it, and looks at its token.
[[nodiscard]] Expected<auth::Identity> identify_caller(DeskState& state, const Moment& moment,
                                                       const IpAddress& address,
                                                       std::string_view token);

/// A new session; `id` empty: it cannot be resumed.
[[nodiscard]] Expected<SessionNumber> open_session(DeskState& state, const Moment& moment,
                                                   auth::Identity identity,
                                                   const IpAddress& address, std::string id);

/// Whether the identity may have such a leg.
[[nodiscard]] bool allows(const auth::Identity& identity, const LegRecord& leg) noexcept;

/// Whether its token is no longer valid; otherwise it is looked at again in due time.
[[nodiscard]] bool has_expired(DeskState& state, const Moment& moment, SessionNumber session);

/// The session goes on with another token of the same client, and ends when that expires.
void adopt_identity(DeskState& state, const Moment& moment, SessionNumber session,
                    auth::Identity identity);

/// The same with a token that came with another request, for a session without a connection: it
/// prolongs what it allows itself, and shortens nothing.
void renew_identity(DeskState& state, const Moment& moment, SessionNumber session,
                    auth::Identity identity);

/// 128 random bits and a few more, in text.
[[nodiscard]] std::string draw_session_id(RandomSource& random);

}  // namespace runnel::session
