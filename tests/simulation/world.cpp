#include "tests/simulation/world.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "tests/allocations/counting_allocator.h"
#include "tests/peer/peer_world.h"

namespace runnel::simulation {
namespace {

using runnel::test::allocation_count;

/// Adds what is allocated during its life.
class AllocationsCounted {
 public:
  explicit AllocationsCounted(std::uint64_t& sum) : sum_(sum), before_(allocation_count()) {}
  ~AllocationsCounted() { sum_ += allocation_count() - before_; }
  AllocationsCounted(const AllocationsCounted&) = delete;
  AllocationsCounted& operator=(const AllocationsCounted&) = delete;

 private:
  std::uint64_t& sum_;
  std::uint64_t before_;
};

constexpr std::uint16_t kFirstPort = 5000;
const IpAddress kEngineHost = IpAddress::v4({192, 0, 2, 1});

relay::PortIndex port_of(const SocketAddress& address) {
  return static_cast<relay::PortIndex>(address.port - kFirstPort);
}

}  // namespace

World::World(relay::EngineLimits limits, std::uint64_t seed)
    : random_(seed), engine(limits, random_), network_(seed) {}

World::World(relay::EngineLimits limits, transport::TransportLimits peers, std::uint64_t seed)
    : random_(seed),
      transports(std::in_place, peers, test::server_context(), random_),
      engine(limits, random_, &*transports),
      network_(seed) {}

SocketAddress World::address_of(relay::PortIndex port) {
  return {kEngineHost, static_cast<std::uint16_t>(kFirstPort + static_cast<std::uint16_t>(port))};
}

SocketAddress peer_address(std::uint16_t number, std::uint16_t port) {
  return {IpAddress::v4(
              {198, 51, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)}),
          port};
}

void World::send(const SocketAddress& from, relay::PortIndex to, Bytes bytes) {
  network_.send(now, up, {from, address_of(to), std::move(bytes)});
}

void World::send(relay::ChannelId channel, std::size_t relay, std::size_t medium, Bytes bytes) {
  after(up.delay, [this, message = Message{channel, relay, medium, std::move(bytes)}] {
    arrived_.push_back(message);
  });
}

void World::run_for(Duration duration) {
  const Timestamp end = now + duration;
  for (;;) {
    std::optional<Timestamp> next = engine.next_timeout();
    const auto consider = [&](Timestamp when) { next = next ? std::min(*next, when) : when; };
    if (!network_.empty()) consider(network_.next_arrival());
    if (!agenda_.empty()) consider(agenda_.begin()->first);
    if (!next || *next > end) break;
    now = std::max(now, *next);
    while (!agenda_.empty() && agenda_.begin()->first <= now) {
      const auto action = std::move(agenda_.begin()->second);
      agenda_.erase(agenda_.begin());
      action();
    }
    wake_up_with_arrivals();
    wake_up_with_messages();
    wake_up_for_timeout();
  }
  now = std::max(now, end);
}

void World::wake_up_with_arrivals() {
  std::vector<Datagram> arrived;
  while (!network_.empty() && network_.next_arrival() <= now) {
    Datagram datagram = network_.take();
    if (datagram.to.ip == kEngineHost) {
      arrived.push_back(std::move(datagram));
    } else {
      hand_to_peer(datagram);
    }
  }
  if (arrived.empty()) return;
  std::vector<relay::IncomingDatagram> batch;
  for (Datagram& datagram : arrived) {
    batch.push_back({port_of(datagram.to), datagram.from, datagram.bytes, false});
  }
  ++wake_ups;
  {
    const AllocationsCounted counted(allocations);
    engine.handle_datagrams(now, batch);
  }
  drain();
}

void World::wake_up_with_messages() {
  if (arrived_.empty()) return;
  std::vector<relay::IncomingMessage> batch;
  for (Message& message : arrived_) {
    batch.push_back({message.channel, message.relay, message.medium, message.bytes});
  }
  ++wake_ups;
  engine.handle_messages(now, batch);
  drain();
  arrived_.clear();
}

void World::wake_up_for_timeout() {
  if (engine.next_timeout().value_or(now + 1ns) > now) return;
  ++wake_ups;
  {
    const AllocationsCounted counted(allocations);
    engine.handle_timeout(now);
  }
  // Handshakes may wait for their turn, which comes at once.
  if (!transports || transports->counts().waiting_datagrams == 0) {
    ASSERT_GT(engine.next_timeout().value_or(now + 1ns), now) << "the engine would spin";
  }
  drain();
}

void World::drain() {
  const auto fill_outbox = [this] {
    const AllocationsCounted counted(allocations);
    return engine.drain(outbox_);
  };
  while (fill_outbox()) {
    for (const relay::OutgoingDatagram& datagram : outbox_.datagrams()) {
      if (on_sent) on_sent(datagram);
      network_.send(now, down,
                    {address_of(datagram.port), datagram.destination,
                     Bytes(datagram.bytes.begin(), datagram.bytes.end())});
    }
    for (const relay::OutgoingMessage& message : outbox_.messages()) send_on(message);
  }
  engine.take_events(events);
  engine.take_peer_events(peer_events);
}

void World::send_on(const relay::OutgoingMessage& message) {
  if (is_too_slow && is_too_slow(message)) {
    engine.handle_send_failure(message.owner, DropReason::slow_reader);
    return;
  }
  after(down.delay, [this, message, bytes = Bytes(message.bytes.begin(), message.bytes.end())] {
    const auto inbox = channels_.find(message.channel);
    if (inbox == channels_.end()) {
      ++unreachable;
      return;
    }
    relay::OutgoingMessage arrived = message;
    arrived.bytes = bytes;
    inbox->second(arrived);
  });
}

void World::shut_down() {
  engine.shut_down(now);
  drain();
}

void World::hand_to_peer(const Datagram& datagram) {
  const auto inbox = inboxes_.find(datagram.to);
  if (inbox != inboxes_.end()) {
    inbox->second(datagram.from, datagram.bytes);
    return;
  }
  ++unreachable;
  if (!reports_unreachable) return;
  engine.handle_unreachable(port_of(datagram.from), datagram.to);
  engine.take_events(events);
}

}  // namespace runnel::simulation
