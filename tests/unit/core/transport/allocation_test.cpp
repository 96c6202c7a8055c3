// Checks and media allocate nothing.
#include <gtest/gtest.h>

#include "tests/allocations/counting_allocator.h"
#include "tests/peer/peer_world.h"

namespace runnel::transport::test {
namespace {

using namespace std::chrono_literals;
using runnel::test::allocation_count;
using runnel::test::Bytes;
using runnel::test::Client;
using runnel::test::client_path;
using runnel::test::PeerWorld;

TEST(Allocation, neither_checks_nor_new_paths_nor_media_need_memory) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  ASSERT_TRUE(client.peer.is_connected());

  std::vector<Bytes> checks;
  for (int i = 0; i < 100; ++i) checks.push_back(client.peer.agent().make_check(i % 3 == 0));
  const Bytes indication{0x00, 0x11, 0x00, 0x00, 0x21, 0x12, 0xa4, 0x42, 1,  2,
                         3,    4,    5,    6,    7,    8,    9,    10,   11, 12};
  const std::vector<std::uint8_t> stranger(checks[0].rbegin(), checks[0].rend());
  Transports& transports = world.transports;
  std::vector<Event> events;
  events.reserve(200);

  const std::size_t before = allocation_count();
  for (std::uint16_t i = 0; i < 100; ++i) {
    world.now += 100ms;
    const Path path = client_path(1, static_cast<std::uint16_t>(40'000 + i % 20));
    transports.begin_turn();
    EXPECT_EQ(transports.handle_stun(world.now, path, checks[i]), std::nullopt);
    EXPECT_EQ(transports.handle_stun(world.now, path, indication), std::nullopt);
    EXPECT_NE(transports.handle_stun(world.now, path, stranger), std::nullopt);
    EXPECT_EQ(transports.peer_at(path), client.id);
    EXPECT_TRUE(transports.destination(client.id));
    EXPECT_NE(transports.receiver(client.id), nullptr);
    EXPECT_NE(transports.sender(client.id), nullptr);
    transports.note_media(world.now, client.id);
    if (transports.next_timeout() <= world.now) transports.handle_timeout(world.now);
    while (transports.next_datagram()) {
    }
    static_cast<void>(transports.take_early());
    transports.take_events(events);
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_FALSE(events.empty());
}

TEST(Allocation, early_media_and_waiting_dtls_need_no_memory) {
  PeerWorld world;
  Client& client = world.add();
  client.peer.connect(world.now, world.server_side(client));
  world.run_for(100ms);
  const Bytes packet(1200, 0x80);
  const Bytes hello(1200, 22);
  const std::size_t before = allocation_count();
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(world.transports.hold(client.path, packet));
    static_cast<void>(world.transports.handle_dtls(world.now, client.path, hello));
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(world.transports.counts().early_packets, TransportLimits{}.early_packets);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, TransportLimits{}.waiting_per_peer);
}

}  // namespace
}  // namespace runnel::transport::test
