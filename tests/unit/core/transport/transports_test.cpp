#include "core/transport/transports.h"

#include <gtest/gtest.h>

#include "tests/peer/peer_world.h"

namespace runnel::transport::test {
namespace {

using namespace std::chrono_literals;
using runnel::test::Bytes;
using runnel::test::Client;
using runnel::test::client_path;
using runnel::test::PeerWorld;

TEST(Transports, take_as_many_peers_as_their_limit) {
  PeerWorld world({.peers = 3});
  std::vector<PeerId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(world.transports.add(world.now).value());
  EXPECT_EQ(world.transports.add(world.now), std::nullopt);
  world.transports.remove(ids[0]);
  const auto another = world.transports.add(world.now);
  ASSERT_TRUE(another);
  EXPECT_NE(*another, ids[0]);
  EXPECT_FALSE(world.transports.holds(ids[0]));
  EXPECT_TRUE(world.transports.holds(*another));
  EXPECT_EQ(world.transports.size(), 3u);
}

TEST(Transports, draw_credentials_that_a_peer_may_use) {
  PeerWorld world;
  const PeerId one = world.transports.add(world.now).value();
  const PeerId other = world.transports.add(world.now).value();
  EXPECT_TRUE(ice::is_valid(world.transports.local_credentials(one)));
  EXPECT_NE(world.transports.local_credentials(one), world.transports.local_credentials(other));
}

TEST(Transports, know_nothing_of_a_peer_that_has_been_removed) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  world.transports.remove(client.id);
  EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
  EXPECT_EQ(world.transports.receiver(client.id), nullptr);
  EXPECT_EQ(world.transports.sender(client.id), nullptr);
  EXPECT_EQ(world.transports.peer_at(client.path), std::nullopt);
  world.transports.note_media(world.now, client.id);
  EXPECT_EQ(world.transports.next_timeout(), std::nullopt);
}

TEST(Transports, keep_the_keys_of_a_peer_that_has_ended_until_it_is_removed) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  const srtp::Receiver* receiver = world.transports.receiver(client.id);
  client.peer.close();
  world.run_for(100ms);
  EXPECT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.transports.receiver(client.id), receiver);
  EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
  world.transports.remove(client.id);
}

TEST(Transports, accept_a_description_after_the_end_without_a_consequence) {
  PeerWorld world;
  Client& client = world.add();
  world.run_for(31s);
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_TRUE(world.transports.set_remote(world.now, client.id, world.description(client)));
  EXPECT_TRUE(world.transports.restart(world.now, client.id, world.description(client)));
  client.peer.connect(world.now, world.server_side(client));
  world.run_for(31s);
  EXPECT_FALSE(client.peer.is_nominated());
  EXPECT_EQ(world.events_of<PeerEnded>().size(), 1u);
}

TEST(Transports, want_to_be_woken_at_once_while_dtls_waits_for_its_turn) {
  PeerWorld world({.datagrams_per_turn = 0});
  Client& client = world.join();
  world.run_for(25ms);  // the check is there
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
  const Bytes hello(100, 22);
  EXPECT_EQ(world.transports.handle_dtls(world.now, client.path, hello), std::nullopt);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 1u);
  EXPECT_EQ(world.transports.next_timeout(), world.now);
}

TEST(Transports, process_no_more_than_a_turns_share_in_one_turn) {
  PeerWorld world({.datagrams_per_turn = 3});
  Client& client = world.join();
  world.run_for(1s);
  ASSERT_TRUE(client.peer.is_connected());
  const Bytes noise(100, 22);
  world.transports.begin_turn();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(world.transports.handle_dtls(world.now, client.path, noise), std::nullopt);
  }
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 5u);
  world.transports.begin_turn();
  world.transports.handle_timeout(world.now);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 2u);
  world.transports.begin_turn();
  world.transports.handle_timeout(world.now);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
  EXPECT_GT(world.transports.next_timeout(), world.now);
}

TEST(Transports, lose_datagrams_that_nobody_fetches_beyond_their_limit) {
  PeerWorld world({.outgoing_datagrams = 4});
  Client& client = world.join();
  world.run_for(1s);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(
        world.transports.handle_stun(world.now, client.path, client.peer.agent().make_check(true)),
        std::nullopt);
  }
  EXPECT_EQ(world.transports.counts().lost_datagrams, 2u);
  int sent = 0;
  while (world.transports.next_datagram()) ++sent;
  EXPECT_EQ(sent, 4);
}

TEST(Transports, count_the_events_that_nobody_reads) {
  PeerWorld world({.events = 2});
  Client& client = world.join();
  world.run_for(1s);
  for (std::uint16_t i = 0; i < 5; ++i) {
    const Path path = client_path(1, static_cast<std::uint16_t>(40'000 + i));
    EXPECT_EQ(world.transports.handle_stun(world.now, path, client.peer.agent().make_check(true)),
              std::nullopt);
  }
  EXPECT_EQ(world.transports.counts().lost_events, 3u);
}

TEST(PeerEndReasons, have_names) {
  EXPECT_EQ(to_string(PeerEndReason::consent_lost), "consent_lost");
  EXPECT_EQ(to_string(PeerEndReason::never_connected), "never_connected");
}

}  // namespace
}  // namespace runnel::transport::test
