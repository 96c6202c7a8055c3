// What somebody may throw at an association, and what must not come of it.
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/core/dtls/openssl_peer.h"

namespace runnel::dtls {
namespace {

constexpr std::uint8_t kChangeCipherSpec = 20;
constexpr std::uint8_t kAlert = 21;
constexpr std::uint8_t kHandshake = 22;
constexpr std::uint8_t kApplicationData = 23;
constexpr std::uint8_t kHeartbeat = 24;

Bytes record(std::uint8_t type, std::uint16_t epoch, std::uint64_t number, const Bytes& fragment) {
  constexpr std::size_t kHeaderSize = 13;
  Bytes bytes(kHeaderSize + fragment.size());
  bytes[0] = type;
  bytes[1] = 0xfe;
  bytes[2] = 0xfd;
  store_be64(&bytes[3], std::uint64_t{epoch} << 48 | number);
  store_be16(&bytes[11], static_cast<std::uint16_t>(fragment.size()));
  copy_bytes(ByteSpan(bytes).subspan(kHeaderSize), fragment);
  return bytes;
}

Bytes fatal_alert(std::uint64_t number = 900) {
  return record(kAlert, 0, number, {2, 40});
}
Bytes close_notify() {
  return record(kAlert, 0, 901, {1, 0});
}

/// Nothing of it is worth an answer, nor an end, at any time.
Datagrams garbage() {
  std::mt19937 random(1);
  Datagrams all{
      {},
      {0},
      {kHandshake},
      Bytes(12, kHandshake),
      Bytes(kMaxDatagramSize + 1, kHandshake),
      record(kHandshake, 0, 800, {}),
      record(kApplicationData, 0, 801, {1, 2, 3}),
      record(kHeartbeat, 0, 802, {1, 0, 2, 3}),
      record(kAlert, 0, 803, {}),
      record(kAlert, 0, 804, {2}),
      record(kAlert, 0, 805, {2, 40, 2}),
      record(99, 0, 806, {1}),
      record(kHandshake, 7, 807, {1}),
      record(kApplicationData, 1, 808, Bytes(100, 0x55)),
      record(kAlert, 1, 809, Bytes(40, 0x55)),
      Bytes{0x2f, 1, 2, 3, 4, 5, 6},  // RFC 9147 §4
  };
  Bytes too_long = record(kHandshake, 0, 810, {1, 2});
  too_long[12] = 200;
  all.push_back(too_long);
  Bytes wrong_version = record(kHandshake, 0, 811, {1, 2});
  wrong_version[1] = 3;
  all.push_back(wrong_version);
  for (int i = 0; i < 100; ++i) {
    Bytes bytes(random() % 300);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>(20 + random() % 44);
    all.push_back(bytes);
  }
  return all;
}

TEST(Garbage, IsIgnoredInEveryState) {
  // After each step of the handshake, of both sides.
  for (int steps = 0; steps <= 5; ++steps) {
    Pair pair;
    if (steps > 0) pair.client.start(pair.now);
    for (int step = 1; step < steps; ++step) {
      const bool is_clients = step % 2 == 1;
      pair.deliver(is_clients ? pair.server : pair.client,
                   take(is_clients ? pair.client : pair.server));
    }
    const Datagrams from_client = take(pair.client);
    const Datagrams from_server = take(pair.server);
    pair.deliver(pair.server, garbage());
    pair.deliver(pair.client, garbage());
    EXPECT_TRUE(take(pair.client).empty()) << steps;
    EXPECT_TRUE(take(pair.server).empty()) << steps;
    EXPECT_GT(pair.server.counts().ignored, 10u);
    EXPECT_GT(pair.client.counts().ignored, 10u);
    pair.deliver(pair.client, from_server);
    pair.deliver(pair.server, from_client);
    pair.run();
    EXPECT_TRUE(pair.are_connected())
        << steps << pair.client.failure_detail() << ' ' << pair.server.failure_detail();
  }
}

TEST(Garbage, BehindARecordDoesNotSpoilTheRecord) {
  for (const Bytes& tail : garbage()) {
    if (tail.size() > 500) continue;
    Pair each;
    each.client.start(each.now);
    Datagrams hello = take(each.client);
    hello.back().insert(hello.back().end(), tail.begin(), tail.end());
    each.deliver(each.server, hello);
    each.run();
    EXPECT_TRUE(each.are_connected()) << each.server.failure_detail();
  }
}

TEST(Garbage, IsIgnoredWhenAllIsOver) {
  Pair pair;
  pair.run();
  pair.server.close();
  take(pair.server);
  pair.deliver(pair.server, garbage());
  EXPECT_EQ(pair.server.state(), State::closed);
  EXPECT_EQ(pair.server.counts().ignored, garbage().size());
  EXPECT_TRUE(take(pair.server).empty());
}

TEST(PlaintextAlert, DoesNotEndAnAssociationThatIsConnected) {
  Pair pair;
  pair.run();
  ASSERT_TRUE(pair.are_connected());
  const Datagrams forged{fatal_alert(), close_notify(), record(kAlert, 1, 5, {2, 40}),
                         record(kAlert, 1, 6, {1, 0})};
  pair.deliver(pair.server, forged);
  pair.deliver(pair.client, forged);
  EXPECT_TRUE(pair.are_connected());
  EXPECT_TRUE(pair.server.keys());
  EXPECT_TRUE(take(pair.server).empty());
  // And a real one still does.
  pair.client.close();
  pair.deliver(pair.server, take(pair.client));
  EXPECT_EQ(pair.server.state(), State::closed_by_peer);
}

TEST(PlaintextAlert, EndsAHandshake) {
  Pair pair;
  pair.client.start(pair.now);
  pair.client.receive(pair.now, fatal_alert());
  EXPECT_EQ(pair.client.failure(), Failure::alert);
  EXPECT_NE(pair.client.failure_detail().find("handshake failure"), std::string::npos);
  Pair another;
  another.client.start(another.now);
  another.client.receive(another.now, close_notify());
  EXPECT_EQ(another.client.failure(), Failure::alert);
}

TEST(SecondHandshake, IsNotBegunByAnotherClientHello) {
  Pair pair;
  pair.run();
  ASSERT_TRUE(pair.are_connected());
  const auto before = pair.server.keys();
  Association stranger(second_context(), {.role = Role::active});
  stranger.start(pair.now);
  pair.deliver(pair.server, take(stranger));
  EXPECT_TRUE(take(pair.server).empty());
  EXPECT_EQ(pair.server.state(), State::connected);
  EXPECT_TRUE(pair.server.keys()->local.same_key(before->local));
}

TEST(Renegotiation, IsRefusedAndNothingChanges) {
  const Certificate certificate = make_self_signed().value();
  for (const Role peer_role : {Role::active, Role::passive}) {
    Association association(first_context(),
                            {.role = peer_role == Role::active ? Role::passive : Role::active});
    expect_one(association,
               fingerprint_of(*certificate.certificate, HashFunction::sha_256).value());
    OpensslPeer peer({.role = peer_role, .certificate = &certificate});
    association.start({});
    converse(peer, association);
    ASSERT_EQ(association.state(), State::connected);
    const auto before = association.keys();
    SSL_renegotiate(peer.ssl());
    SSL_do_handshake(peer.ssl());
    for (const Bytes& datagram : peer.say()) association.receive({}, datagram);
    EXPECT_EQ(take(association).size(), 1u);  // the alert no_renegotiation
    EXPECT_EQ(association.state(), State::connected) << association.failure_detail();
    ASSERT_TRUE(association.keys());
    EXPECT_TRUE(association.keys()->local.same_key(before->local));
  }
}

// A data channel's SCTP, which nobody has negotiated.
TEST(ApplicationData, IsCountedAndForgotten) {
  const Certificate certificate = make_self_signed().value();
  Association association(first_context());
  expect_one(association, fingerprint_of(*certificate.certificate, HashFunction::sha_256).value());
  OpensslPeer peer({.certificate = &certificate});
  converse(peer, association);
  const Bytes chunk(1'100, 0x13);
  for (int i = 0; i < 50; ++i) {
    SSL_write(peer.ssl(), chunk.data(), static_cast<int>(chunk.size()));
    for (const Bytes& datagram : peer.say()) association.receive({}, datagram);
  }
  EXPECT_EQ(association.counts().application_records, 50u);
  EXPECT_EQ(association.state(), State::connected);
  EXPECT_TRUE(take(association).empty());
  SSL_shutdown(peer.ssl());
  for (const Bytes& datagram : peer.say()) association.receive({}, datagram);
  EXPECT_EQ(association.state(), State::closed_by_peer);
}

// Each would be kept with a buffer of 17 kB until the keys are there.
TEST(EarlyRecords, AreKeptUpToTheirLimit) {
  for (const std::size_t count : {kMaxEarlyRecords, kMaxEarlyRecords + 1}) {
    Pair pair;
    pair.client.start(pair.now);
    pair.deliver(pair.server, take(pair.client));
    for (std::size_t i = 0; i < count; ++i) {
      pair.server.receive(pair.now, record(kHandshake, 1, 100 + i, Bytes(64, 0x55)));
    }
    EXPECT_EQ(pair.server.counts().ignored, count - kMaxEarlyRecords);
  }
}

TEST(EarlyRecords, AreNotKeptWhenNobodyWantsThem) {
  Pair pair;
  pair.client.start(pair.now);
  pair.deliver(pair.server, take(pair.client));
  for (const std::uint8_t type : {kApplicationData, kAlert, kChangeCipherSpec}) {
    pair.server.receive(pair.now, record(type, 1, 100, Bytes(64, 0x55)));
  }
  EXPECT_EQ(pair.server.counts().ignored, 3u);
  pair.run();
  EXPECT_TRUE(pair.are_connected());
}

TEST(EarlyRecords, DoNotCountOnceThereAreKeys) {
  Pair pair;
  pair.run();
  for (std::size_t i = 0; i < 2 * kMaxEarlyRecords; ++i) {
    pair.server.receive(pair.now, record(kApplicationData, 1, 100 + i, Bytes(64, 0x55)));
  }
  EXPECT_EQ(pair.server.counts().ignored, 0u);
  EXPECT_TRUE(pair.are_connected());
}

TEST(Datagram, HasALimitInSize) {
  for (const std::size_t size : {kMaxDatagramSize, kMaxDatagramSize + 1}) {
    Pair pair;
    pair.client.start(pair.now);
    Datagrams hello = take(pair.client);
    ASSERT_EQ(hello.size(), 1u);
    // Filled up with a record that OpenSSL takes for an old one.
    const Bytes filler = record(kHandshake, 0, 0, Bytes(size - hello[0].size() - 13));
    hello[0].insert(hello[0].end(), filler.begin(), filler.end());
    ASSERT_EQ(hello[0].size(), size);
    pair.deliver(pair.server, hello);
    EXPECT_EQ(take(pair.server).empty(), size > kMaxDatagramSize);
    EXPECT_EQ(pair.server.counts().ignored, size > kMaxDatagramSize ? 1u : 0u);
  }
}

TEST(ChangeCipherSpec, OutOfTurnDoesNotConnectAnybody) {
  for (const Bytes& forged :
       {record(kChangeCipherSpec, 0, 700, {1}), record(kChangeCipherSpec, 0, 700, {2}),
        record(kChangeCipherSpec, 0, 700, {})}) {
    Pair pair;
    pair.server.receive(pair.now, forged);
    pair.client.start(pair.now);
    pair.deliver(pair.server, take(pair.client));
    pair.server.receive(pair.now, forged);
    EXPECT_NE(pair.server.state(), State::connected);
    EXPECT_FALSE(pair.server.keys());
  }
}

}  // namespace
}  // namespace runnel::dtls
