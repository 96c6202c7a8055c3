// Peers come: checks, handshakes in both roles, every SRTP profile, over networks good and bad.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/peer/peer_world.h"
#include "tests/simulation/peers/packets.h"

namespace runnel::test {
namespace {

using transport::PeerConnected;
using transport::PeerEnded;
using transport::PeerEndReason;

/// One packet each way.
void expect_media(PeerWorld& world, Client& client) {
  const std::uint64_t before = client.delivered;
  const std::uint64_t received = client.peer.rtp_received();
  static std::uint16_t number = 100;
  ASSERT_TRUE(client.peer.send(srtp::PacketKind::rtp, rtp_packet(++number)));
  world.run_for(50ms);
  EXPECT_EQ(client.delivered, before + 1);

  const auto path = world.transports.destination(client.id);
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, client.path);
  Bytes packet = rtp_packet(number, 0x99);
  packet.resize(packet.size() + 64);
  const auto size =
      world.transports.sender(client.id)->protect_in_place(srtp::PacketKind::rtp, packet, 200);
  ASSERT_TRUE(size);
  packet.resize(*size);
  client.peer.receive(world.now, packet);
  EXPECT_EQ(client.peer.rtp_received(), received + 1);
}

TEST(Peers, a_browser_connects_and_media_flows_both_ways) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  const auto connected = world.events_of<PeerConnected>();
  ASSERT_EQ(connected.size(), 1u);
  EXPECT_EQ(connected[0].peer, client.id);
  EXPECT_EQ(connected[0].path, client.path);
  EXPECT_EQ(client.peer.agent().mapped_address(), client.path.remote);
  expect_media(world, client);
  EXPECT_EQ(world.transports.counts().handshakes, 1u);
}

TEST(Peers, a_browser_that_nominates_in_its_first_check_connects) {
  PeerWorld world;
  Client& client = world.join({.checking = {.nominates_at_once = true}});
  world.run_for(1s);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 1u);
  EXPECT_EQ(client.peer.agent().responses(), 1u);
  expect_media(world, client);
}

TEST(Peers, the_server_begins_the_handshake_when_it_is_active) {
  PeerWorld world;
  Client& client = world.join({.role = dtls::Role::passive});
  world.run_for(1s);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 1u);
  expect_media(world, client);
}

TEST(Peers, every_srtp_profile_carries_media) {
  for (const srtp::Profile profile :
       {srtp::Profile::aead_aes_128_gcm, srtp::Profile::aead_aes_256_gcm,
        srtp::Profile::aes_cm_128_hmac_sha1_80}) {
    for (const dtls::Role role : {dtls::Role::active, dtls::Role::passive}) {
      const dtls::Context clients = client_context().with_profiles({&profile, 1});
      PeerWorld world({}, server_context(), clients);
      Client& client = world.join({.role = role});
      world.run_for(1s);
      ASSERT_EQ(world.events_of<PeerConnected>().size(), 1u) << to_string(profile);
      EXPECT_EQ(world.transports.receiver(client.id)->profile(), profile);
      EXPECT_EQ(world.transports.sender(client.id)->profile(), profile);
      expect_media(world, client);
    }
  }
}

TEST(Peers, without_a_common_profile_there_is_no_connection_and_the_reason_is_told) {
  const auto only = [](srtp::Profile profile) {
    return client_context().with_profiles({&profile, 1});
  };
  const dtls::Context server = only(srtp::Profile::aead_aes_128_gcm);
  const dtls::Context clients = only(srtp::Profile::aes_cm_128_hmac_sha1_80);
  PeerWorld world({}, server, clients);
  Client& client = world.join();
  EXPECT_EQ(world.transports.failure_detail(client.id), "");
  world.run_for(2s);
  EXPECT_TRUE(world.events_of<PeerConnected>().empty());
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerEnded>()[0].reason, PeerEndReason::no_common_profile);
  EXPECT_NE(world.transports.failure_detail(client.id), "");
}

TEST(Peers, a_network_that_loses_a_third_only_delays) {
  for (const dtls::Role role : {dtls::Role::active, dtls::Role::passive}) {
    PeerWorld world;
    SeededRandom dice(7);
    const auto loses = [&dice](const Path&, ByteView) { return dice.u32() % 3 == 0; };
    world.loses_up = loses;
    world.loses_down = loses;
    for (int i = 0; i < 20; ++i) world.join({.role = role});
    world.run_for(29s);
    EXPECT_EQ(world.events_of<PeerConnected>().size(), 20u);
    EXPECT_TRUE(world.events_of<PeerEnded>().empty());
  }
}

TEST(Peers, a_client_that_has_missed_our_last_flight_is_sent_it_again) {
  PeerWorld world;
  Client& client = world.join();
  // All that the server sends after it has its keys is lost for a while.
  bool lossy = true;
  world.loses_down = [&](const Path&, ByteView bytes) {
    return lossy && bytes[0] >= 20 && bytes[0] <= 63 &&
           world.transports.receiver(client.id) != nullptr;
  };
  world.run_for(500ms);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 1u);
  EXPECT_FALSE(client.peer.is_connected());
  lossy = false;
  world.run_for(5s);
  EXPECT_TRUE(client.peer.is_connected());
  EXPECT_EQ(world.events_of<PeerEnded>().size(), 0u);
}

TEST(Peers, checks_and_a_client_hello_may_be_faster_than_the_answer) {
  PeerWorld world;
  Client& client = world.add();
  client.peer.connect(world.now, world.server_side(client));
  world.run_for(600ms);
  EXPECT_TRUE(client.peer.is_nominated());
  EXPECT_FALSE(client.peer.is_connected());
  EXPECT_GE(world.transports.counts().waiting_datagrams, 1u);
  ASSERT_TRUE(world.transports.set_remote(world.now, client.id, world.description(client)));
  world.run_for(100ms);  // before the client would say it again
  EXPECT_TRUE(client.peer.is_connected());
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
}

TEST(Peers, dtls_before_nomination_is_answered_and_media_waits_for_the_nomination) {
  PeerWorld world;
  Client& client = world.add({.role = dtls::Role::active, .checking = {.never_nominates = true}});
  world.connect(client);
  world.run_for(500ms);
  EXPECT_EQ(world.transports.peer_at(client.path), client.id);
  EXPECT_FALSE(client.peer.is_nominated());

  // A client that begins its handshake on a path that it has only checked.
  dtls::Association early(client_context(), {.role = dtls::Role::active});
  const dtls::Fingerprint expected = server_context().fingerprint();
  early.expect({&expected, 1});
  early.start(world.now);
  world.loses_down = [&](const Path&, ByteView bytes) {
    if (bytes[0] >= 20) early.receive(world.now, bytes);
    return bytes[0] >= 20;
  };
  for (int i = 0; i < 6; ++i) {
    while (const auto datagram = early.next_datagram()) {
      world.send(client.path, to_bytes(*datagram));
    }
    world.run_for(50ms);
  }
  EXPECT_EQ(early.state(), dtls::State::connected);
  EXPECT_NE(world.transports.receiver(client.id), nullptr);
  EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
  EXPECT_TRUE(world.events_of<PeerConnected>().empty());

  world.send(client.path, client.peer.agent().make_check(true));
  world.run_for(50ms);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  EXPECT_EQ(world.events_of<PeerConnected>().size(), 1u);
}

TEST(Peers, media_that_overtakes_the_handshake_is_kept) {
  PeerWorld world;
  // A passive client has its keys when it sends its last flight.
  Client& client = world.join({.role = dtls::Role::passive});
  bool is_held_up = true;
  std::vector<Bytes> late;
  world.loses_up = [&](const Path&, ByteView bytes) {
    if (!is_held_up || !client.peer.is_connected() || bytes[0] < 20 || bytes[0] > 63) return false;
    late.push_back(to_bytes(bytes));
    return true;
  };
  world.run_for(300ms);
  ASSERT_TRUE(client.peer.is_connected());
  ASSERT_FALSE(late.empty());
  for (std::uint16_t i = 0; i < 40; ++i) {
    ASSERT_TRUE(client.peer.send(srtp::PacketKind::rtp, rtp_packet(i)));
  }
  world.run_for(50ms);
  EXPECT_EQ(client.delivered, 0u);
  EXPECT_EQ(world.drops[DropReason::before_keys], 8u);  // 32 are kept
  is_held_up = false;
  for (Bytes& datagram : late) world.send(client.path, std::move(datagram));
  world.run_for(50ms);
  EXPECT_EQ(client.delivered, 32u);
  world.run_for(11s);
  EXPECT_EQ(world.transports.counts().early_packets, 0u);
}

}  // namespace
}  // namespace runnel::test
