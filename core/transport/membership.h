// Peers come, describe themselves, restart and go.
#pragma once

#include <optional>

#include "core/transport/peer_description.h"

namespace runnel::transport {

struct Peer;
struct TransportsState;

// See the functions of Transports of these names.

[[nodiscard]] std::optional<PeerId> add_peer(TransportsState& state);
[[nodiscard]] bool set_remote(TransportsState& state, Peer& peer, const RemoteDescription& remote);
[[nodiscard]] bool restart(TransportsState& state, Peer& peer, const RemoteDescription& remote);
void remove_peer(TransportsState& state, Peer& peer) noexcept;

}  // namespace runnel::transport
