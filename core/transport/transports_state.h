// What all parts of the Transports work on.
#pragma once

#include <cstddef>

#include "core/base/deadline_queue.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/dtls/context.h"
#include "core/transport/datagram_store.h"
#include "core/transport/early_media.h"
#include "core/transport/event_queue.h"
#include "core/transport/outgoing_queue.h"
#include "core/transport/path_directory.h"
#include "core/transport/peer_table.h"
#include "core/transport/ready_queue.h"
#include "core/transport/transports.h"
#include "core/transport/ufrag_table.h"

namespace runnel::transport {

struct TransportsState {
  TransportsState(const TransportLimits& bounds, const dtls::Context& dtls_context,
                  RandomSource& randomness)
      : limits(bounds),
        context(dtls_context),
        random(randomness),
        peers(bounds.peers),
        paths(2 * bounds.peers),  // most peers have one or two
        waiting(bounds.waiting_datagrams),
        early(bounds.early_packets_in_all, bounds.early_packets),
        outgoing(bounds.outgoing_datagrams),
        events(bounds.events, bounds.peers),
        share(bounds.datagrams_per_turn) {
    deadlines.resize(peers.bound());
  }

  void tell(const Event& event) noexcept {
    if (!events.push(event)) ++counts.lost_events;
  }

  TransportLimits limits;
  const dtls::Context& context;
  RandomSource& random;
  Timestamp now{};  // of the last call

  PeerTable peers;
  UfragTable ufrags;
  PathDirectory paths;
  DeadlineQueue deadlines;  // by the peers' numbers

  DatagramStore waiting;  // DTLS
  ReadyQueue ready;       // peers with DTLS that can be dealt with
  EarlyMedia early;
  OutgoingQueue outgoing;
  EventQueue events;
  std::size_t share;  // of DTLS datagrams that this turn may still process
  Transports::Counts counts;
};

}  // namespace runnel::transport
