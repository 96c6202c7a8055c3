// Strangers and liars: forged checks, wrong certificates, DTLS and SRTP from nowhere, floods.
#include <array>

#include <gtest/gtest.h>

#include "core/stun/message_writer.h"
#include "tests/peer/peer_world.h"
#include "tests/simulation/peers/packets.h"

namespace runnel::test {
namespace {

using transport::PeerConnected;
using transport::PeerEnded;
using transport::PeerEndReason;
using transport::PeerMoved;

/// A nominating check under any names, which travel in the clear, and password.
Bytes forged_check(RandomSource& random, const std::string& to, const std::string& from,
                   const std::string& password) {
  stun::TransactionId transaction;
  random.fill(transaction);
  std::array<std::uint8_t, 600> room;
  stun::MessageWriter writer(room, stun::MessageClass::request, stun::kBinding, transaction);
  writer.username(to, from);
  writer.priority(1);
  writer.ice_controlling(1);
  writer.use_candidate();
  writer.message_integrity(stun::integrity_key(password));
  writer.fingerprint();
  return to_bytes(writer.finish().value());
}

/// The first flight of somebody who wants a handshake.
std::vector<Bytes> client_hello(Timestamp now) {
  dtls::Association association(client_context(), {.role = dtls::Role::active});
  association.start(now);
  std::vector<Bytes> flight;
  while (const auto datagram = association.next_datagram()) flight.push_back(to_bytes(*datagram));
  return flight;
}

TEST(Strangers, a_flood_of_checks_under_unknown_names_leaves_no_state_and_gets_no_answer) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  const auto before = world.transports.counts();
  const std::uint64_t sent = world.datagrams_down;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const Bytes check = forged_check(world.random, "none" + std::to_string(i), "evil", "whatever");
    EXPECT_EQ(world.deliver(client_path(1000 + i), check), DropReason::unknown_path);
  }
  const auto after = world.transports.counts();
  EXPECT_EQ(after.paths, before.paths);
  EXPECT_EQ(after.peers, before.peers);
  EXPECT_EQ(after.stun_requests, before.stun_requests);
  EXPECT_EQ(world.datagrams_down, sent);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
}

TEST(Strangers, a_forged_check_moves_nothing_and_gets_no_answer) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  const std::uint64_t sent = world.datagrams_down;
  const std::string ufrag = world.transports.local_credentials(client.id).ufrag;
  const Path stranger = client_path(77);
  EXPECT_EQ(
      world.deliver(stranger, forged_check(world.random, ufrag, client.peer.agent().local().ufrag,
                                           "a guess at a password...")),
      DropReason::authentication_failed);
  EXPECT_EQ(world.transports.peer_at(stranger), std::nullopt);
  EXPECT_EQ(world.transports.destination(client.id), client.path);
  EXPECT_EQ(world.datagrams_down, sent);
  EXPECT_TRUE(world.events_of<PeerMoved>().empty());
}

TEST(Strangers, forged_checks_do_not_count_as_consent) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  client.peer.vanish();
  const std::string ufrag = world.transports.local_credentials(client.id).ufrag;
  for (int i = 0; i < 40; ++i) {
    world.send(client.path, forged_check(world.random, ufrag, client.peer.agent().local().ufrag,
                                         "a guess at a password..."));
    world.run_for(1s);
  }
  ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
  EXPECT_EQ(world.events_of<PeerEnded>()[0].reason, PeerEndReason::consent_lost);
}

TEST(Strangers, dtls_from_an_unknown_path_is_dropped_without_a_word) {
  PeerWorld world;
  world.join();
  world.run_for(1s);
  const std::uint64_t sent = world.datagrams_down;
  for (const Bytes& datagram : client_hello(world.now)) {
    EXPECT_EQ(world.deliver(client_path(77), datagram), DropReason::unknown_path);
  }
  EXPECT_EQ(world.datagrams_down, sent);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
}

TEST(Strangers, media_from_an_unknown_path_is_not_kept) {
  PeerWorld world;
  world.add();
  EXPECT_EQ(world.transports.hold(client_path(77), rtp_packet(1)), DropReason::unknown_path);
  EXPECT_EQ(world.transports.counts().early_packets, 0u);
}

TEST(Strangers, a_damaged_message_is_nobodys) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  EXPECT_EQ(world.deliver(client.path, Bytes{0, 1, 0, 0}), DropReason::malformed);
  Bytes cut = client.peer.agent().make_check(true);
  cut.resize(cut.size() - 4);
  EXPECT_EQ(world.deliver(client.path, cut), DropReason::malformed);
}

TEST(Liars, a_certificate_other_than_the_announced_one_ends_the_peer) {
  for (const dtls::Role role : {dtls::Role::active, dtls::Role::passive}) {
    PeerWorld world;
    Client& client = world.add({.role = role});
    transport::RemoteDescription description = world.description(client);
    description.fingerprints[0].bytes[5] ^= 1;
    ASSERT_TRUE(world.transports.set_remote(world.now, client.id, description));
    client.peer.connect(world.now, world.server_side(client));
    world.run_for(2s);
    EXPECT_TRUE(world.events_of<PeerConnected>().empty());
    ASSERT_EQ(world.events_of<PeerEnded>().size(), 1u);
    EXPECT_EQ(world.events_of<PeerEnded>()[0].reason, PeerEndReason::wrong_fingerprint);
    EXPECT_EQ(world.transports.receiver(client.id), nullptr);
    EXPECT_EQ(world.transports.destination(client.id), std::nullopt);
    EXPECT_EQ(world.transports.peer_at(client.path), std::nullopt);
    EXPECT_EQ(world.transports.counts().handshakes_failed, 1u);
  }
}

TEST(Liars, another_certificate_cannot_be_announced_later) {
  PeerWorld world;
  Client& client = world.join();
  world.run_for(1s);
  transport::RemoteDescription description = world.description(client);
  EXPECT_TRUE(world.transports.set_remote(world.now, client.id, description));
  description.fingerprints[0].bytes[5] ^= 1;
  EXPECT_FALSE(world.transports.set_remote(world.now, client.id, description));
}

TEST(Liars, a_peer_that_forges_anothers_address_does_not_get_its_path) {
  PeerWorld world;
  Client& victim = world.join();
  Client& thief = world.join();
  world.run_for(2s);
  EXPECT_EQ(world.deliver(victim.path, thief.peer.agent().make_check(true)),
            DropReason::unknown_path);
  EXPECT_EQ(world.transports.peer_at(victim.path), victim.id);
  EXPECT_EQ(world.transports.destination(victim.id), victim.path);
  EXPECT_EQ(world.transports.destination(thief.id), thief.path);
}

TEST(Liars, an_address_that_a_nat_has_given_to_somebody_else_is_theirs_after_a_while) {
  PeerWorld world;
  Client& gone = world.join();
  world.run_for(2s);
  gone.peer.vanish();
  const Path address = gone.path;
  world.run_for(8s);
  gone.path = client_path(99);
  Client& next = world.add();
  next.path = address;
  world.connect(next);
  world.run_for(1s);
  EXPECT_EQ(world.transports.peer_at(address), next.id);
  EXPECT_TRUE(next.peer.is_connected());
  EXPECT_EQ(world.transports.destination(gone.id), std::nullopt);
}

TEST(Liars, dtls_that_never_gets_anywhere_is_bounded_for_one_and_for_all) {
  PeerWorld world({.waiting_datagrams = 20, .waiting_per_peer = 8});
  std::vector<Client*> clients;
  for (int i = 0; i < 3; ++i) {
    Client& client = *clients.emplace_back(&world.add());
    client.peer.connect(world.now, world.server_side(client));
  }
  world.run_for(200ms);
  for (Client* client : clients) client->peer.vanish();  // each has one or two datagrams there
  for (int i = 0; i < 30; ++i) {
    for (Client* client : clients) {
      static_cast<void>(world.deliver(client->path, client_hello(world.now)[0]));
    }
  }
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 20u);
  EXPECT_EQ(world.deliver(clients[0]->path, client_hello(world.now)[0]), DropReason::queue_full);
  for (Client* client : clients) world.transports.remove(client->id);
  EXPECT_EQ(world.transports.counts().waiting_datagrams, 0u);
}

TEST(Strangers, nobody_gets_more_bytes_than_they_have_sent_before_they_are_authenticated) {
  PeerWorld world;
  Client& client = world.add();
  world.connect(client);
  const std::string ufrag = world.transports.local_credentials(client.id).ufrag;
  const Path stranger = client_path(5000);
  std::uint64_t answered = 0;
  world.loses_down = [&](const Path& path, ByteView bytes) {
    if (path == stranger) answered += bytes.size();
    return false;
  };
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(world.deliver(
        stranger, forged_check(world.random, ufrag, client.peer.agent().local().ufrag, "wrong")));
    static_cast<void>(world.deliver(stranger, client_hello(world.now)[0]));
    static_cast<void>(world.deliver(stranger, rtp_packet(1)));
  }
  world.run_for(5s);
  EXPECT_EQ(answered, 0u);
  EXPECT_TRUE(client.peer.is_connected());
}

}  // namespace
}  // namespace runnel::test
