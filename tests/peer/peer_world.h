// Transports and any number of peers under one virtual clock, with a network between them that
// takes a while and loses what it is told to.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "core/transport/transports.h"
#include "tests/peer/test_peer.h"

namespace runnel::test {

using namespace std::chrono_literals;

/// Randomness that is the same for the same seed.
class SeededRandom : public RandomSource {
 public:
  explicit SeededRandom(std::uint64_t seed) : generator_(seed) {}
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(generator_());
  }

 private:
  std::mt19937_64 generator_;
};

/// Contexts cost a key pair each, so all tests of a program share these two.
[[nodiscard]] const dtls::Context& server_context();
[[nodiscard]] const dtls::Context& client_context();

/// The address of a client by number, by the first port of the server.
[[nodiscard]] Path client_path(std::uint32_t number, std::uint16_t port = 50'000);

/// One client, and what the server knows it by.
struct Client {
  Client(const dtls::Context& context, RandomSource& random, const TestPeerOptions& options)
      : peer(context, random, options) {}

  TestPeer peer;
  transport::PeerId id{};
  Path path;                    // where it is now
  std::uint64_t delivered = 0;  // packets of it that the server has decrypted
};

class PeerWorld {
 public:
  explicit PeerWorld(transport::TransportLimits limits = {},
                     const dtls::Context& server = server_context(),
                     const dtls::Context& clients = client_context());

  /// A peer that the server knows and that has not begun.
  Client& add(const TestPeerOptions& options = {});
  /// The client begins to check, and tells the server what it is.
  void connect(Client& client);
  Client& join(const TestPeerOptions& options = {});
  [[nodiscard]] RemoteSide server_side(const Client& client) const;
  [[nodiscard]] transport::RemoteDescription description(const Client& client) const;

  /// From anybody at `path`, to arrive after `delay`.
  void send(const Path& path, Bytes bytes);
  /// At once, in a turn of its own.
  std::optional<DropReason> deliver(const Path& path, Bytes bytes);
  void run_for(Duration duration);
  /// What the server and the clients want sent is on its way.
  void drain();

  template <typename T>
  [[nodiscard]] std::vector<T> events_of() const {
    std::vector<T> found;
    for (const transport::Event& event : events) {
      if (const T* match = std::get_if<T>(&event)) found.push_back(*match);
    }
    return found;
  }

  Timestamp now{std::chrono::hours(1)};
  Duration delay = 10ms;  // each way
  SeededRandom random{1};
  transport::Transports transports;
  std::deque<std::unique_ptr<Client>> clients;
  std::vector<transport::Event> events;
  std::map<DropReason, std::uint64_t> drops;
  /// Whether the network loses a datagram, to the server and from it.
  std::function<bool(const Path&, ByteView)> loses_up;
  std::function<bool(const Path&, ByteView)> loses_down;
  /// Told after each wake-up of the server.
  std::function<void()> on_turn;
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  std::uint64_t datagrams_down = 0;

 private:
  struct Travelling {
    Path path;
    Bytes bytes;
    bool up = true;
  };

  std::optional<DropReason> handle(const Path& path, ByteSpan bytes);
  std::optional<DropReason> handle_media(const Path& path, ByteSpan bytes, bool may_hold);
  void take_early();
  void wake_server(std::vector<Travelling> arrived);
  void wake_clients();
  void hand_to_client(Travelling datagram);
  void send_of(Client& client);
  [[nodiscard]] std::optional<Timestamp> next_moment();

  const dtls::Context& server_context_;
  const dtls::Context& client_context_;
  std::multimap<Timestamp, Travelling> network_;
};

}  // namespace runnel::test
