// Fields that several requests have in common: names, numbers of RTP, addresses, legs, SDP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/address.h"
#include "core/signalling/field.h"
#include "core/signalling/request.h"

namespace runnel::signalling {

/// Of a stream or a track: letters, digits, '-', '_' and '.', up to kMaxNameLength of them, not
/// beginning with '-' or '.'.
[[nodiscard]] std::optional<std::string> read_name(const Field& field);
/// 0 to 127, without 64 to 95, which look like RTCP to whoever shares the port (RFC 5761 §4).
[[nodiscard]] std::optional<std::uint8_t> read_payload_type(const Field& field);
[[nodiscard]] std::optional<std::uint32_t> read_32_bits(const Field& field);
/// A literal IP address, not the unspecified one, and a port that is not 0.
[[nodiscard]] std::optional<SocketAddress> read_address(const Field& field);
[[nodiscard]] std::optional<LegNumber> read_leg_number(const Field& field);
[[nodiscard]] std::optional<PeerNumber> read_peer_number(const Field& field);
/// A session description, of at most kMaxSdpLength.
[[nodiscard]] std::optional<std::string> read_sdp(const Field& field);
/// Of a=mid or a=rid: letters, digits, and what else a token of SDP may have.
[[nodiscard]] std::optional<std::string> read_mid(const Field& field);
/// What is left out is `auto`.
[[nodiscard]] std::optional<relay::LayerWish> read_layers(const Field& field);

/// The member `name`, which has to be there; empty or 0 after a refusal.
[[nodiscard]] std::string require_name(const Field& object, std::string_view name);
[[nodiscard]] LegNumber require_leg_number(const Field& object);
[[nodiscard]] PeerNumber require_peer_number(const Field& object);
[[nodiscard]] std::string require_sdp(const Field& object, std::string_view name);

}  // namespace runnel::signalling
