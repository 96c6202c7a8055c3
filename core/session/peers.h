// Peer connections come and go: their transport, their place in a session, and what their client is
// offered and told.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/negotiation/agreement.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"
#include "core/transport/event.h"

namespace runnel::session {

/// A new one, which no session has yet: it must be adopted or abandoned.
[[nodiscard]] Expected<PeerRecord> begin_peer(DeskState& state, const Moment& moment,
                                              const std::string& stream);
void abandon_peer(DeskState& state, const PeerRecord& peer);
signalling::PeerNumber adopt_peer(DeskState& state, SessionNumber session, PeerRecord peer);

/// nullptr: the session has none of this number.
[[nodiscard]] PeerRecord* find_peer(DeskState& state, const PeerKey& key) noexcept;
[[nodiscard]] Expected<PeerRecord*> find_own_peer(SessionRecord& session,
                                                  signalling::PeerNumber number);

/// What our descriptions say of us, to a client at `address`.
[[nodiscard]] negotiation::LocalTransport local_transport(const DeskState& state,
                                                          const PeerRecord& peer,
                                                          const IpAddress& address);
/// The transport learns what the peer has said of itself, if that is something new.
[[nodiscard]] Expected<void> describe_peer(DeskState& state, const Moment& moment, PeerRecord& peer,
                                           const negotiation::PeerTransport& remote,
                                           sdp::Setup our_setup);
/// ICE restart: it learns the peer's new credentials, and we have others. Refused, all stays.
[[nodiscard]] Expected<void> restart_peer(DeskState& state, const Moment& moment, PeerRecord& peer,
                                          const negotiation::PeerTransport& remote);
/// The client's answer to the open offer.
[[nodiscard]] Expected<void> take_answer(DeskState& state, const Moment& moment, const PeerKey& key,
                                         std::string_view sdp);
[[nodiscard]] signalling::Error from_negotiation(const negotiation::Error& error);

/// Writes the next offer, which is the open one then.
void write_offer(DeskState& state, const SessionRecord& session, PeerRecord& peer);
/// Offers what has changed since, where no offer is open; once for all changes of one call.
void offer_changes(DeskState& state);

/// To a client that has come back, and may not have heard of what is open.
void repeat_offers(DeskState& state, SessionNumber session);

/// What was drawn for a medium that comes to nothing.
void release_ssrcs(DeskState& state, const OfferedMedium& medium) noexcept;
/// A leg on it has gone: its m-lines fall idle. The peer goes with its last leg.
void leave_peer(DeskState& state, const LegKey& key, const LegRecord& leg);
/// It has come to its end, and its legs with it. The client and the log are told why.
void end_peer(DeskState& state, const Moment& moment, const PeerKey& key,
              signalling::PeerEndReason reason);
/// Ends its legs because the server ends, and it goes with the last of them.
void end_peer_legs(DeskState& state, const Moment& moment, const PeerKey& key);
/// The client and the log are told.
void announce_end(DeskState& state, const PeerKey& key, signalling::PeerEndReason reason);
/// After the engine has been drained: forgets those that have gone.
void remove_departed_peers(DeskState& state);

void take_peer_event(DeskState& state, const Moment& moment, const transport::Event& event);

}  // namespace runnel::session
