// What OpenSSL has instead of a socket and of a timer. For .cpp files of this room only.
#pragma once

#include "core/base/bytes.h"
#include "core/dtls/flight_queue.h"
#include "core/dtls/openssl.h"

namespace runnel::dtls {

/// The network as one connection sees it: each read takes one datagram, each write makes one.
struct DatagramPort {
  ByteView incoming = {};  // the datagram to be read; empty: there is none
  FlightQueue& outgoing;
};

/// Makes `ssl` use the port, which must outlive it, and leave its timer to `outgoing`. False: out
/// of memory.
[[nodiscard]] bool attach(SSL* ssl, DatagramPort& port);

}  // namespace runnel::dtls
