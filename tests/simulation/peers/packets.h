// RTP for scenarios with peers.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"
#include "tests/peer/datagrams.h"

namespace runnel::test {

/// A clear packet of 200 bytes.
[[nodiscard]] inline Bytes rtp_packet(std::uint16_t sequence_number,
                                      std::uint32_t ssrc = 0x01020304) {
  Bytes packet(200, 0x55);
  packet[0] = 0x80;
  packet[1] = 96;
  store_be16(&packet[2], sequence_number);
  store_be32(&packet[4], 1000u * sequence_number);
  store_be32(&packet[8], ssrc);
  return packet;
}

}  // namespace runnel::test
