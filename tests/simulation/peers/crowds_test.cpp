// Many peers at once: joins that do not starve media, half-open ones that go, limits of all.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/peer/peer_world.h"
#include "tests/simulation/peers/packets.h"

namespace runnel::test {
namespace {

using transport::PeerConnected;
using transport::PeerEnded;
using transport::PeerEndReason;

TEST(Crowds, five_hundred_joins_within_2_s_are_served_in_turns_of_a_bounded_size) {
  PeerWorld world({.datagrams_per_turn = 2});
  Client& publisher = world.join();
  world.run_for(1s);
  ASSERT_TRUE(publisher.peer.is_connected());

  std::uint64_t handshakes = world.transports.counts().handshakes;
  std::uint64_t most = 0;
  world.on_turn = [&] {
    const std::uint64_t done = world.transports.counts().handshakes;
    most = std::max(most, done - handshakes);
    handshakes = done;
  };
  std::uint16_t sent = 0;
  for (int i = 0; i < 500; ++i) {
    world.join();
    ASSERT_TRUE(publisher.peer.send(srtp::PacketKind::rtp, rtp_packet(sent++)));
    world.run_for(4ms);
  }
  world.run_for(2s);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 501u);
  EXPECT_LE(most, 2u);
  EXPECT_EQ(publisher.delivered, sent);
  EXPECT_TRUE(world.drops.empty());
}

TEST(Crowds, all_at_once_wait_for_their_turn_and_get_it_one_after_the_other) {
  PeerWorld world({.datagrams_per_turn = 1});
  for (int i = 0; i < 100; ++i) world.join();
  std::size_t most = 0;
  world.on_turn = [&] { most = std::max(most, world.transports.counts().waiting_datagrams); };
  world.run_for(5s);
  EXPECT_GE(most, 50u);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 100u);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
}

TEST(Crowds, one_that_floods_with_dtls_does_not_keep_another_from_its_turn) {
  PeerWorld world({.datagrams_per_turn = 1});
  Client& flooder = world.join();
  world.run_for(1s);
  Client& other = world.join();
  const Bytes noise{22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 7};
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 8; ++j) world.send(flooder.path, noise);
    world.run_for(5ms);
  }
  EXPECT_TRUE(other.peer.is_connected());
}

TEST(Crowds, ten_thousand_half_open_peers_time_out_and_nothing_of_them_stays) {
  PeerWorld world;
  transport::Transports& transports = world.transports;
  std::vector<transport::PeerId> ids;
  while (const auto id = transports.add(world.now)) ids.push_back(*id);
  ASSERT_EQ(ids.size(), 10'000u);
  // Each has got as far as a path and a ClientHello that waits for an answer by signalling.
  CheckingAgent agent(world.random, {});
  Datagrams first_check;
  const Bytes hello{22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1};
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    agent.start(world.now, transports.local_credentials(ids[i]), first_check);
    transports.begin_turn();
    EXPECT_EQ(transports.handle_stun(world.now, client_path(i), first_check.back()), std::nullopt);
    static_cast<void>(transports.handle_dtls(world.now, client_path(i), hello));
    static_cast<void>(transports.hold(client_path(i), rtp_packet(1)));
    world.drain();
    first_check.clear();
  }
  EXPECT_EQ(transports.counts().paths, 10'000u);
  EXPECT_EQ(transports.counts().waiting_datagrams, transport::TransportLimits{}.waiting_datagrams);

  world.run_for(31s);
  const auto ended = world.events_of<PeerEnded>();
  EXPECT_EQ(ended.size(), 10'000u);
  EXPECT_TRUE(std::ranges::all_of(ended, [](const PeerEnded& event) {
    return event.reason == PeerEndReason::never_connected;
  }));
  for (const PeerEnded& event : ended) transports.remove(event.peer);
  EXPECT_EQ(transports.size(), 0u);
  const auto counts = transports.counts();
  EXPECT_EQ(counts.paths, 0u);
  EXPECT_EQ(counts.waiting_datagrams, 0u);
  EXPECT_EQ(counts.early_packets, 0u);
  EXPECT_EQ(counts.lost_events, 0u);
  EXPECT_EQ(transports.next_timeout(), std::nullopt);
  EXPECT_TRUE(transports.add(world.now));
}

TEST(Crowds, a_thousand_ends_that_nobody_has_read_are_all_told) {
  PeerWorld world({.peers = 1000, .events = 4});
  std::vector<transport::PeerId> ids;
  while (const auto id = world.transports.add(world.now)) ids.push_back(*id);
  const Timestamp end = world.now + 31s;
  while (const auto timeout = world.transports.next_timeout()) {
    if (*timeout > end) break;
    world.transports.handle_timeout(std::max(*timeout, end));
  }
  std::vector<transport::Event> events;
  world.transports.take_events(events);
  EXPECT_EQ(events.size(), 1000u);
}

}  // namespace
}  // namespace runnel::test
