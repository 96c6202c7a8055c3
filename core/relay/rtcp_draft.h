// A finished clear RTCP compound on its way to the sealer.
#pragma once

#include <optional>
#include <string_view>

#include "core/relay/sealer.h"

namespace runnel::relay {

[[nodiscard]] inline std::string_view text(const CanonicalName& name) noexcept {
  return {name.data(), name.size()};
}

/// `compound` stands at the front of the outbox's next slot. SRTCP leaves its first 8 bytes clear
/// (RFC 3711 §3.4).
[[nodiscard]] inline Draft rtcp_draft(ByteView compound, DatagramOwner owner, srtp::Sender* sender,
                                      PortIndex port, const SocketAddress& destination) noexcept {
  constexpr std::size_t kHeaderSize = 8;
  return {.owner = owner,
          .sender = sender,
          .kind = srtp::PacketKind::rtcp,
          .port = port,
          .destination = destination,
          .header_size = kHeaderSize,
          .payload = compound.subspan(kHeaderSize)};
}

}  // namespace runnel::relay
