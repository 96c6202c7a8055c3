// What peers cost: a check, a packet's way to its peer among many, a whole handshake.
#include <benchmark/benchmark.h>

#include "tests/peer/peer_world.h"

namespace {

using namespace runnel;
using namespace runnel::test;

/// The server's side of everything between add and connected, and the client's alone.
void handshake(benchmark::State& state) {
  const auto role = state.range(0) == 0 ? dtls::Role::active : dtls::Role::passive;
  for (auto _ : state) {
    PeerWorld world;
    Client& client = world.join({.role = role});
    world.run_for(1s);
    if (!client.peer.is_connected()) state.SkipWithError("not connected");
  }
}
BENCHMARK(handshake)->ArgName("server_active")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

/// 10,000 peers with a path each.
struct Crowd {
  Crowd() : agent(world.random, {}) {
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      const auto id = world.transports.add(world.now).value();
      agent.start(world.now, world.transports.local_credentials(id), datagrams);
      checks.push_back(agent.make_check(true));
      datagrams.clear();
      check(i);
    }
  }
  void check(std::uint32_t number) {
    if (world.transports.handle_stun(world.now, client_path(number), checks[number])) std::abort();
    while (const auto datagram = world.transports.next_datagram()) {
      benchmark::DoNotOptimize(datagram->bytes.data());
    }
  }

  PeerWorld world;
  CheckingAgent agent;
  Datagrams datagrams;
  std::vector<Bytes> checks;
};

void check(benchmark::State& state) {
  Crowd crowd;
  std::uint32_t number = 0;
  for (auto _ : state) {
    crowd.check(number);
    number = (number + 7919) % 10'000;
  }
}
BENCHMARK(check);

void find_peer(benchmark::State& state) {
  Crowd crowd;
  std::uint32_t number = 0;
  for (auto _ : state) {
    const auto peer = crowd.world.transports.peer_at(client_path(number));
    benchmark::DoNotOptimize(crowd.world.transports.receiver(*peer));
    number = (number + 7919) % 10'000;
  }
}
BENCHMARK(find_peer);

}  // namespace
