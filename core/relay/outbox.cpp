#include "core/relay/outbox.h"

namespace runnel::relay {

Outbox::Outbox(std::size_t slots) : slab_(slots) {
  datagrams_.reserve(slots);
}

}  // namespace runnel::relay
