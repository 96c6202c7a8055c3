#include "core/relay/outbox.h"

namespace runnel::relay {

Outbox::Outbox(std::size_t slots) : slab_(slots) {
  datagrams_.reserve(slots);
  messages_.reserve(slots);
}

void Outbox::remove_empty() noexcept {
  std::erase_if(datagrams_,
                [](const OutgoingDatagram& datagram) { return datagram.bytes.empty(); });
}

}  // namespace runnel::relay
