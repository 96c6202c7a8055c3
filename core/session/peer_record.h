// A peer connection of a session: its transport, what was negotiated on it, and the legs that it
// carries.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "core/base/address.h"
#include "core/negotiation/peer_connection.h"
#include "core/signalling/request.h"
#include "core/transport/peer_description.h"

namespace runnel::session {

struct PeerRecord {
  PeerRecord(transport::PeerId peer, std::uint64_t session_id, std::string first_stream)
      : id(peer), negotiation(session_id), stream(std::move(first_stream)) {}

  transport::PeerId id;
  negotiation::PeerConnection negotiation;
  /// Of its first leg, for the log.
  std::string stream;
  /// The open offer, for a client that comes back; empty: none is open.
  std::string offer;
  /// What the transport knows of the client; nullopt: nothing yet.
  std::optional<negotiation::PeerTransport> described;
  std::set<signalling::LegNumber> legs;
  bool is_stalled = false;
  bool has_ended = false;  // by itself; its legs are about to go
};

}  // namespace runnel::session
