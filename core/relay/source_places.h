// By which ports and addresses a source's medium is known.
#pragma once

#include <optional>
#include <vector>

#include "core/base/address.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

struct SourcePlace {
  PortIndex port{};
  /// The only address that sends to it; nullopt: any.
  std::optional<SocketAddress> remote;

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// Of a SourceMedium or a SourceTrack: one place, or two when RTCP comes to another port or from
/// another address than RTP.
template <typename Medium>
[[nodiscard]] std::vector<SourcePlace> places_of(const Medium& medium) {
  std::vector<SourcePlace> places{{medium.ports.rtp, medium.remote}};
  SourcePlace rtcp{medium.ports.rtcp.value_or(medium.ports.rtp), medium.remote};
  if (medium.remote && medium.rtcp_remote) rtcp.remote = medium.rtcp_remote;
  if (rtcp != places.front()) places.push_back(rtcp);
  return places;
}

}  // namespace runnel::relay
