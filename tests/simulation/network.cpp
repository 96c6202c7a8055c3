#include "tests/simulation/network.h"

#include <utility>

namespace runnel::simulation {

void Network::send(Timestamp now, const Link& link, Datagram datagram) {
  if (happens(link.loss)) return;
  Timestamp when = now + link.delay;
  if (link.jitter > Duration::zero()) {
    const auto span = static_cast<std::uint64_t>(link.jitter.count());
    when += Duration(static_cast<std::int64_t>(random_() % span));
  }
  if (happens(link.reordering)) when += link.reordering_delay;
  if (happens(link.duplication)) enqueue(when + std::chrono::milliseconds(1), datagram);
  enqueue(when, std::move(datagram));
}

Datagram Network::take() {
  Datagram datagram = queue_.top().datagram;
  queue_.pop();
  return datagram;
}

bool Network::happens(double probability) {
  return probability > 0 && std::uniform_real_distribution<>(0, 1)(random_) < probability;
}

void Network::enqueue(Timestamp when, Datagram datagram) {
  queue_.push({when, sent_++, std::move(datagram)});
}

}  // namespace runnel::simulation
