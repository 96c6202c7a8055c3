// A network that delays, loses, duplicates and reorders, the same way for the same seed.
#pragma once

#include <cstdint>
#include <queue>
#include <random>
#include <vector>

#include "core/base/address.h"
#include "core/base/random.h"
#include "core/base/time.h"

namespace runnel::simulation {

using Bytes = std::vector<std::uint8_t>;

/// What happens to datagrams on their way. Probabilities from 0 to 1.
struct Link {
  Duration delay = std::chrono::milliseconds(5);
  Duration jitter{};  // up to so much more, which reorders when packets are closer than that
  double loss = 0;
  double duplication = 0;
  double reordering = 0;  // by `reordering_delay`
  Duration reordering_delay = std::chrono::milliseconds(20);
};

struct Datagram {
  SocketAddress from;
  SocketAddress to;
  Bytes bytes;
};

class Network {
 public:
  explicit Network(std::uint64_t seed) : random_(seed) {}

  void send(Timestamp now, const Link& link, Datagram datagram);
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  /// When the next datagram arrives; the network must not be empty.
  [[nodiscard]] Timestamp next_arrival() const { return queue_.top().when; }
  Datagram take();

 private:
  struct Travelling {
    Timestamp when;
    std::uint64_t number;  // first sent, first arrived, at equal times
    Datagram datagram;

    bool operator<(const Travelling& other) const {
      return when != other.when ? when > other.when : number > other.number;
    }
  };

  bool happens(double probability);
  void enqueue(Timestamp when, Datagram datagram);

  std::mt19937_64 random_;
  std::priority_queue<Travelling> queue_;
  std::uint64_t sent_ = 0;
};

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

}  // namespace runnel::simulation
