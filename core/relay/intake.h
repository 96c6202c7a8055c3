// From datagrams and messages to authenticated, decrypted packets at the track or leg that they are
// for.
#pragma once

#include <span>

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Locates each, unprotects as many as possible together, and hands what is authentic on, in the
/// order of arrival. Until then a datagram changes nothing but counters.
void take_datagrams(EngineState& state, std::span<const IncomingDatagram> batch) noexcept;
/// What has happened to peers since, and the packets that they sent before their keys were there.
void settle_transports(EngineState& state) noexcept;
/// The same of messages, which are clear, and authenticated by the connection they came by.
void take_messages(EngineState& state, std::span<const IncomingMessage> batch) noexcept;

}  // namespace runnel::relay
