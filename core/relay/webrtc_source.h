// What a source by a peer has beside other sources.
#pragma once

#include "core/relay/loss_detector.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

/// Of each encoding.
struct WebRtcSource {
  explicit WebRtcSource(const WebRtcMedium& medium) : agreed(medium) {}

  WebRtcMedium agreed;
  LossDetector losses;
  bool is_asking = false;  // a negative acknowledgement waits to be written
};

}  // namespace runnel::relay
