// How a request wants its media carried: the object `leg`, with one member that names the kind.
#pragma once

#include <optional>

#include "core/base/address.h"
#include "core/signalling/field.h"
#include "core/signalling/request.h"

namespace runnel::signalling {

/// The member `leg`, which has to be there.
[[nodiscard]] std::optional<LegOffer> read_leg(const Field& request);

/// Where the client of a subscription is: said by `to`, or to be learned by `latch`. Both stand in
/// the member of `leg` that names the kind, of srtp and rtp alone.
struct Destination {
  std::optional<SocketAddress> to;
  bool latch = false;
};
[[nodiscard]] Destination read_destination(const Field& request);

}  // namespace runnel::signalling
