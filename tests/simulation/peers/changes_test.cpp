// What happens to a connected peer: other addresses, restarts, silence, and the ways it ends.
#include <gtest/gtest.h>

#include "tests/peer/peer_world.h"
#include "tests/simulation/peers/packets.h"

namespace runnel::test {
namespace {

using transport::PeerConnected;
using transport::PeerEnded;
using transport::PeerEndReason;
using transport::PeerMoved;
using transport::PeerPathClosed;
using transport::PeerResumed;
using transport::PeerStalled;

Client& connected(PeerWorld& world, const TestPeerOptions& options = {}) {
  Client& client = world.join(options);
  world.run_for(1s);
  EXPECT_TRUE(client.peer.is_connected());
  return client;
}

void send_media(Client& client, std::uint16_t number) {
  ASSERT_TRUE(client.peer.send(srtp::PacketKind::rtp, rtp_packet(number)));
}

TEST(ConnectedPeers, a_nat_that_rebinds_moves_media_with_the_first_check_from_the_new_address) {
  PeerWorld world;
  Client& client = connected(world);
  const Path before = client.path;
  client.path = client_path(1, 51'111);
  send_media(client, 1);
  world.run_for(100ms);
  // Media alone, which an attacker could replay from anywhere, moves nothing.
  EXPECT_EQ(world.transports.destination(client.id), before);
  EXPECT_EQ(world.drops[DropReason::unknown_path], 1u);

  client.peer.check(world.now);
  world.run_for(100ms);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  ASSERT_EQ(world.events_of<PeerMoved>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerMoved>()[0].path, client.path);
  send_media(client, 2);
  world.run_for(100ms);
  EXPECT_EQ(client.delivered, 1u);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 1u);
}

TEST(ConnectedPeers, a_peer_that_nominates_only_once_is_heard_from_its_new_address_as_well) {
  PeerWorld world;
  Client& client = connected(world);
  client.path = client_path(1, 51'111);
  world.run_for(4s);
  static_cast<void>(world.deliver(client.path, client.peer.agent().make_check(false)));
  EXPECT_EQ(world.transports.destination(client.id), client.path);
}

TEST(ConnectedPeers, a_check_by_a_second_path_moves_nothing_while_the_first_is_alive) {
  PeerWorld world;
  Client& client = connected(world);
  const Path second = client_path(1, 51'111);
  for (int i = 0; i < 20; ++i) {
    client.peer.check(world.now);
    world.send(second, client.peer.agent().make_check(false));
    world.run_for(1s);
  }
  EXPECT_EQ(world.transports.peer_at(second), client.id);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  EXPECT_TRUE(world.events_of<PeerMoved>().empty());
}

TEST(ConnectedPeers, of_many_addresses_of_one_peer_the_oldest_are_forgotten) {
  PeerWorld world({.paths_per_peer = 4});
  Client& client = connected(world);
  for (std::uint16_t i = 0; i < 20; ++i) {
    static_cast<void>(world.deliver(client_path(1, static_cast<std::uint16_t>(52'000 + i)),
                                    client.peer.agent().make_check(false)));
    world.run_for(10ms);
  }
  EXPECT_EQ(world.transports.counts().paths, 4u);
  EXPECT_EQ(world.transports.peer_at(client.path), client.id);
  EXPECT_EQ(world.transports.peer_at(client_path(1, 52'000)), std::nullopt);
  EXPECT_EQ(world.transports.peer_at(client_path(1, 52'019)), client.id);
}

TEST(ConnectedPeers, an_ice_restart_changes_names_and_address_and_keeps_the_keys) {
  PeerWorld world;
  Client& client = connected(world);
  const std::string old_ufrag = world.transports.local_credentials(client.id).ufrag;
  ASSERT_TRUE(world.transports.restart(world.now, client.id, world.description(client)));
  EXPECT_NE(world.transports.local_credentials(client.id).ufrag, old_ufrag);

  // Until the new names are used, everything goes on under the old ones.
  client.peer.check(world.now);
  send_media(client, 1);
  world.run_for(100ms);
  EXPECT_EQ(client.delivered, 1u);
  const Bytes old_check = client.peer.agent().make_check(true);

  client.peer.restart();
  ASSERT_TRUE(world.transports.set_remote(world.now, client.id, world.description(client)));
  client.path = client_path(1, 51'111);
  client.peer.resume(world.now, world.transports.local_credentials(client.id));
  world.run_for(200ms);
  EXPECT_TRUE(client.peer.is_nominated());
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  send_media(client, 2);
  world.run_for(100ms);
  EXPECT_EQ(client.delivered, 2u);
  EXPECT_EQ(world.transports.counts().handshakes, 1u);
  EXPECT_EQ(world.deliver(client_path(1), old_check), DropReason::unknown_path);
}

TEST(ConnectedPeers, a_restart_under_another_certificate_is_refused_and_changes_nothing) {
  PeerWorld world;
  Client& client = connected(world);
  const std::string ufrag = world.transports.local_credentials(client.id).ufrag;
  transport::RemoteDescription other = world.description(client);
  other.ice.ufrag = "other";
  other.fingerprints = {server_context().fingerprint()};
  EXPECT_FALSE(world.transports.restart(world.now, client.id, other));
  EXPECT_EQ(world.transports.local_credentials(client.id).ufrag, ufrag);
  world.run_for(60s);
  EXPECT_TRUE(world.events_of<PeerEnded>().empty()) << "its checks are answered";
}

TEST(ConnectedPeers, restarts_that_nobody_follows_leave_nothing_behind) {
  PeerWorld world;
  Client& client = connected(world);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(world.transports.restart(world.now, client.id, world.description(client)));
  }
  world.run_for(20s);
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
  EXPECT_EQ(world.transports.destination(client.id), client.path);
}

TEST(ConnectedPeers, silence_is_told_after_5_s_and_its_end_at_once) {
  PeerWorld world;
  Client& client = connected(world);
  world.loses_up = [](const Path&, ByteView) { return true; };
  world.run_for(4s);
  EXPECT_TRUE(world.events_of<PeerStalled>().empty());
  world.run_for(6s);
  EXPECT_EQ(world.events_of<PeerStalled>().size(), 1u);
  EXPECT_TRUE(world.events_of<PeerResumed>().empty());
  world.loses_up = nullptr;
  send_media(client, 1);
  world.run_for(100ms);
  EXPECT_EQ(world.events_of<PeerResumed>().size(), 1u);
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
}

TEST(ConnectedPeers, webrtcbin_that_checks_no_more_stays_as_long_as_its_media_comes) {
  PeerWorld world;
  Client& client = connected(world);
  client.peer.agent().stop();
  for (std::uint16_t i = 0; i < 60; ++i) {
    send_media(client, i);
    world.run_for(4s);
  }
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
  EXPECT_TRUE(world.events_of<PeerStalled>().empty());
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  Client& thief = connected(world);
  send_media(client, 60);
  world.run_for(100ms);
  EXPECT_EQ(world.deliver(client.path, thief.peer.agent().make_check(true)),
            DropReason::unknown_path);
  world.run_for(31s);
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerEnded>()[0].peer, client.id);
}

TEST(ConnectedPeers, without_checks_and_media_a_peer_ends_after_30_s) {
  PeerWorld world;
  Client& client = connected(world);
  client.peer.agent().stop();
  world.run_for(28s);
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
  EXPECT_TRUE(world.transports.destination(client.id));
  world.run_for(3s);
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerEnded>()[0].reason, PeerEndReason::consent_lost);
  EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
  EXPECT_EQ(world.transports.counts().connected, 0u);
  EXPECT_EQ(world.transports.counts().paths, 0u);
  EXPECT_TRUE(world.transports.holds(client.id));
}

TEST(ConnectedPeers, checks_alone_keep_a_peer_for_hours) {
  PeerWorld world;
  Client& client = connected(world);
  world.run_for(3h);
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
  EXPECT_EQ(world.transports.destination(client.id), client.path);
}

TEST(ConnectedPeers, removing_one_tells_it_by_close_notify) {
  PeerWorld world;
  Client& client = connected(world);
  world.transports.remove(client.id);
  EXPECT_FALSE(world.transports.holds(client.id));
  EXPECT_EQ(world.transports.counts().paths, 0u);
  world.run_for(100ms);
  EXPECT_TRUE(client.peer.is_closed());
  EXPECT_TRUE(world.events_of<PeerEnded>().empty());
}

TEST(ConnectedPeers, a_peer_that_says_close_notify_has_ended) {
  PeerWorld world;
  Client& client = connected(world);
  client.peer.close();
  world.run_for(100ms);
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerEnded>()[0].reason, PeerEndReason::closed);
  EXPECT_EQ(world.transports.peer_at(client.path), std::nullopt);
}

TEST(ConnectedPeers, a_closed_connection_takes_its_path_and_another_one_takes_over) {
  PeerWorld world;
  Client& client = world.add();
  client.path.port = PortIndex{3};
  world.connect(client);
  world.run_for(1s);
  ASSERT_TRUE(client.peer.is_connected());
  world.transports.handle_closed_path(world.now, client.path);
  EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
  EXPECT_EQ(world.transports.peer_at(client.path), std::nullopt);
  world.transports.handle_closed_path(world.now, client.path);
  world.run_for(10ms);
  ASSERT_EQ(world.events_of<PeerPathClosed>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerPathClosed>()[0].path, client.path);

  client.path.remote.port = 44'444;
  client.peer.check(world.now);
  world.run_for(100ms);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  EXPECT_EQ(world.events_of<PeerMoved>().size(), 1u);
}

}  // namespace
}  // namespace runnel::test
