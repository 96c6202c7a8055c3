// An engine, a network and peers under one virtual clock.
#pragma once

#include <functional>
#include <map>
#include <variant>
#include <vector>

#include "core/relay/engine.h"
#include "tests/simulation/network.h"

namespace runnel::simulation {

using namespace std::chrono_literals;

class World {
 public:
  explicit World(relay::EngineLimits limits = {}, std::uint64_t seed = 1);
  /// With peers, whose limits these are.
  World(relay::EngineLimits limits, transport::TransportLimits peers, std::uint64_t seed = 1);

  /// The address of one of the engine's ports.
  [[nodiscard]] static SocketAddress address_of(relay::PortIndex port);

  /// Whoever is at `address` is handed what arrives there.
  using Inbox = std::function<void(const SocketAddress& from, ByteView bytes)>;
  void attach(const SocketAddress& address, Inbox inbox) { inboxes_[address] = std::move(inbox); }
  void detach(const SocketAddress& address) { inboxes_.erase(address); }
  /// The same for the other end of a channel.
  using ChannelInbox = std::function<void(const relay::OutgoingMessage& message)>;
  void attach(relay::ChannelId channel, ChannelInbox inbox) {
    channels_[channel] = std::move(inbox);
  }

  /// From a peer to the engine.
  void send(const SocketAddress& from, relay::PortIndex to, Bytes bytes);
  /// The same by message, which neither loses nor reorders.
  void send(relay::ChannelId channel, std::size_t relay, std::size_t medium, Bytes bytes);
  void at(Timestamp when, std::function<void()> action) {
    agenda_.emplace(when, std::move(action));
  }
  void after(Duration delay, std::function<void()> action) { at(now + delay, std::move(action)); }
  void run_for(Duration duration);
  /// The clock is set forward, and nothing happened meanwhile.
  void jump(Duration duration) { now += duration; }
  void shut_down();
  /// Sends what the engine wants sent, as the daemon does after each call.
  void drain();

  template <typename T>
  [[nodiscard]] std::vector<T> events_of() const {
    std::vector<T> found;
    for (const relay::Event& event : events) {
      if (const T* match = std::get_if<T>(&event)) found.push_back(*match);
    }
    return found;
  }
  template <typename T>
  [[nodiscard]] std::size_t count_events() const {
    return events_of<T>().size();
  }

  Timestamp now{std::chrono::hours(1)};
  Link up;    // from peers to the engine
  Link down;  // from the engine to peers
  std::vector<relay::Event> events;
  std::uint64_t wake_ups = 0;
  std::uint64_t allocations = 0;  // by the engine, with packets and time
  std::uint64_t unreachable = 0;  // datagrams and messages to nobody
  /// Tells the engine of datagrams to nobody, as ICMP does.
  bool reports_unreachable = false;
  /// Told of each datagram that the engine sends.
  std::function<void(const relay::OutgoingDatagram&)> on_sent;
  /// Says which messages a reader is too slow for.
  std::function<bool(const relay::OutgoingMessage&)> is_too_slow;

 private:
  struct Message {
    relay::ChannelId channel{};
    std::size_t relay = 0;
    std::size_t medium = 0;
    Bytes bytes;
  };

  void wake_up_with_arrivals();
  void wake_up_with_messages();
  void send_on(const relay::OutgoingMessage& message);
  void wake_up_for_timeout();
  void hand_to_peer(const Datagram& datagram);

  SeededRandom random_;

 public:
  /// What the engine has told of peers.
  std::vector<transport::Event> peer_events;
  std::optional<transport::Transports> transports;
  relay::Engine engine;

 private:
  relay::Outbox outbox_;
  Network network_;
  std::map<SocketAddress, Inbox> inboxes_;
  std::map<relay::ChannelId, ChannelInbox> channels_;
  std::vector<Message> arrived_;
  std::multimap<Timestamp, std::function<void()>> agenda_;
};

/// The address of a peer by number, on its own host.
[[nodiscard]] SocketAddress peer_address(std::uint16_t number, std::uint16_t port);

}  // namespace runnel::simulation
