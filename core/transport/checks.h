// ICE checks: which peer they are for, and what they change.
#pragma once

#include <optional>

#include "core/base/bytes.h"
#include "core/base/drop_reason.h"
#include "core/base/path.h"

namespace runnel::transport {

struct Peer;
struct TransportsState;

/// See Transports::handle_stun.
[[nodiscard]] std::optional<DropReason> handle_check(TransportsState& state, const Path& path,
                                                     ByteView datagram) noexcept;
/// The path is not the peer's any more, as its agent knows already.
void drop_path(TransportsState& state, Peer& peer, const Path& path) noexcept;
/// Makes the peer unknown to all who look for it by path or user name.
void drop_all_names(TransportsState& state, Peer& peer) noexcept;

}  // namespace runnel::transport
