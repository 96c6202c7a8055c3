// A whole handshake, and what both sides have from it.
#include <array>

#include <gtest/gtest.h>

#include "tests/unit/core/dtls/pair.h"

namespace runnel::dtls {
namespace {

using srtp::Profile;

Context with(const Context& context, std::initializer_list<Profile> profiles) {
  return context.with_profiles({profiles.begin(), profiles.size()});
}

TEST(Handshake, ConnectsBothSidesWithinTheirFirstFlights) {
  Pair pair;
  pair.client.start(pair.now);
  EXPECT_EQ(pair.client.state(), State::handshaking);
  EXPECT_EQ(pair.client.next_timeout(), pair.now + std::chrono::seconds(1));
  EXPECT_EQ(pair.server.next_timeout(), std::nullopt);
  pair.exchange();
  EXPECT_TRUE(pair.are_connected());
  EXPECT_EQ(pair.client.next_timeout(), std::nullopt);
  EXPECT_EQ(pair.server.next_timeout(), std::nullopt);
  EXPECT_EQ(pair.client.counts().ignored + pair.server.counts().ignored, 0u);
  EXPECT_EQ(pair.client.failure(), std::nullopt);
  EXPECT_EQ(pair.client.failure_detail(), "");
}

TEST(Handshake, ThePassiveSideSaysNothingOfItself) {
  Association server(second_context());
  server.start({});
  EXPECT_EQ(server.next_datagram(), std::nullopt);
  EXPECT_EQ(server.next_timeout(), std::nullopt);
}

class HandshakeProfile : public testing::TestWithParam<Profile> {};

TEST_P(HandshakeProfile, GivesEachSideTheKeysOfTheOther) {
  Pair pair(with(first_context(), {GetParam()}), with(second_context(), {GetParam()}));
  EXPECT_FALSE(pair.client.keys());
  pair.run();
  ASSERT_TRUE(pair.are_connected());
  const auto client = pair.client.keys();
  const auto server = pair.server.keys();
  ASSERT_TRUE(client && server);
  EXPECT_EQ(client->local.profile(), GetParam());
  EXPECT_EQ(server->local.profile(), GetParam());
  EXPECT_TRUE(client->local.same_key(server->remote));
  EXPECT_TRUE(server->local.same_key(client->remote));
  EXPECT_FALSE(client->local.same_key(client->remote));
}

INSTANTIATE_TEST_SUITE_P(All, HandshakeProfile,
                         testing::Values(Profile::aead_aes_128_gcm, Profile::aead_aes_256_gcm,
                                         Profile::aes_cm_128_hmac_sha1_80,
                                         Profile::aes_cm_128_hmac_sha1_32));

// Chromium prefers CM_80, Firefox and Chromium list GCM in different orders.
TEST(Handshake, TheOrderOfThePassiveSideDecidesTheProfile) {
  struct Case {
    Context client;
    Profile chosen;
  };
  const Context& first = first_context();
  const std::array cases{
      Case{with(first, {Profile::aes_cm_128_hmac_sha1_80, Profile::aead_aes_256_gcm,
                        Profile::aead_aes_128_gcm}),
           Profile::aead_aes_128_gcm},
      Case{with(first, {Profile::aes_cm_128_hmac_sha1_80, Profile::aead_aes_256_gcm}),
           Profile::aead_aes_256_gcm},
      Case{with(first, {Profile::aes_cm_128_hmac_sha1_32, Profile::aes_cm_128_hmac_sha1_80}),
           Profile::aes_cm_128_hmac_sha1_80},
  };
  for (const Case& each : cases) {
    Pair pair(each.client);
    pair.run();
    ASSERT_TRUE(pair.are_connected());
    EXPECT_EQ(pair.server.keys()->local.profile(), each.chosen);
    EXPECT_EQ(pair.client.keys()->local.profile(), each.chosen);
  }
}

TEST(Handshake, FailsWithoutACommonProfile) {
  Pair pair(with(first_context(), {Profile::aes_cm_128_hmac_sha1_32}));
  pair.run();
  EXPECT_EQ(pair.server.failure(), Failure::no_common_profile);
  EXPECT_EQ(pair.client.failure(), Failure::no_common_profile);
  EXPECT_FALSE(pair.server.keys());
  EXPECT_FALSE(pair.client.keys());
}

TEST(Handshake, NoDatagramIsLongerThanTheMtu) {
  Pair pair;
  pair.run([](bool, std::size_t index) { return index < 3; });
  ASSERT_TRUE(pair.are_connected());
  Pair again;
  again.client.start(again.now);
  for (Datagrams sent = take(again.client); !sent.empty();) {
    for (const Bytes& datagram : sent) EXPECT_LE(datagram.size(), kMtu);
    again.deliver(again.server, sent);
    const Datagrams answer = take(again.server);
    for (const Bytes& datagram : answer) EXPECT_LE(datagram.size(), kMtu);
    again.deliver(again.client, answer);
    sent = take(again.client);
  }
  EXPECT_TRUE(again.are_connected());
}

TEST(Handshake, SurvivesBeingMoved) {
  Pair pair;
  pair.client.start(pair.now);
  Association moved = std::move(pair.client);
  pair.client = std::move(moved);
  pair.exchange();
  EXPECT_TRUE(pair.are_connected());
}

TEST(Close, TellsThePeer) {
  for (const bool client_closes : {true, false}) {
    Pair pair;
    pair.run();
    ASSERT_TRUE(pair.are_connected());
    Association& one = client_closes ? pair.client : pair.server;
    Association& other = client_closes ? pair.server : pair.client;
    one.close();
    EXPECT_EQ(one.state(), State::closed);
    EXPECT_FALSE(one.keys());
    const Datagrams farewell = take(one);
    ASSERT_EQ(farewell.size(), 1u);
    pair.deliver(other, farewell);
    EXPECT_EQ(other.state(), State::closed_by_peer);
    EXPECT_FALSE(other.keys());
    EXPECT_EQ(take(other).size(), 1u);  // its own close_notify (RFC 5246 §7.2.1)
    EXPECT_EQ(other.next_timeout(), std::nullopt);
    other.close();
    EXPECT_EQ(other.state(), State::closed_by_peer);
    EXPECT_EQ(other.next_datagram(), std::nullopt);
  }
}

TEST(Close, DuringTheHandshakeIsSilent) {
  Pair pair;
  pair.client.start(pair.now);
  pair.deliver(pair.server, take(pair.client));
  take(pair.server);
  pair.server.close();
  EXPECT_EQ(pair.server.state(), State::closed);
  EXPECT_EQ(pair.server.next_datagram(), std::nullopt);
  EXPECT_EQ(pair.server.next_timeout(), std::nullopt);
  Association unused(first_context());
  unused.close();
  EXPECT_EQ(unused.state(), State::closed);
}

}  // namespace
}  // namespace runnel::dtls
