// Peers as they come: their certificates, the sizes of their messages, their manners.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/core/dtls/openssl_peer.h"

namespace runnel::dtls {
namespace {

using std::chrono::seconds;

const Certificate& ec_certificate() {
  static const Certificate certificate = make_self_signed().value();
  return certificate;
}

Association passive_expecting(const Certificate& certificate,
                              HashFunction function = HashFunction::sha_256) {
  Association association(first_context());
  expect_one(association, fingerprint_of(*certificate.certificate, function).value());
  return association;
}

Fingerprint wrong_fingerprint() {
  Fingerprint fingerprint = second_context().fingerprint();
  fingerprint.bytes[31] ^= 1;
  return fingerprint;
}

TEST(PeerCertificate, MayBeOfAnyHashFunction) {
  for (const auto function :
       {HashFunction::sha_256, HashFunction::sha_384, HashFunction::sha_512}) {
    Association association = passive_expecting(ec_certificate(), function);
    OpensslPeer peer({.certificate = &ec_certificate()});
    converse(peer, association);
    EXPECT_EQ(association.state(), State::connected);
    EXPECT_TRUE(peer.is_connected());
  }
}

// GStreamer's webrtcbin.
TEST(PeerCertificate, MayHaveAnRsaKey) {
  const Certificate rsa = make_rsa_certificate();
  for (const Role peer_role : {Role::active, Role::passive}) {
    Association association(first_context(),
                            {.role = peer_role == Role::active ? Role::passive : Role::active});
    expect_one(association, fingerprint_of(*rsa.certificate, HashFunction::sha_256).value());
    OpensslPeer peer({.role = peer_role, .certificate = &rsa});
    association.start({});
    converse(peer, association);
    EXPECT_EQ(association.state(), State::connected) << association.failure_detail();
  }
}

TEST(PeerCertificate, MayHaveExpiredOrNotBegun) {
  for (const auto& [from, to] : {std::pair{"700101000000Z", "700102000000Z"},
                                 std::pair{"20990101000000Z", "20990102000000Z"}}) {
    const Certificate certificate = make_dated_certificate(from, to);
    Association association = passive_expecting(certificate);
    OpensslPeer peer({.certificate = &certificate});
    converse(peer, association);
    EXPECT_EQ(association.state(), State::connected) << from;
  }
}

TEST(PeerCertificate, MustHaveOneOfTheFingerprints) {
  const Certificate& certificate = ec_certificate();
  const std::array fingerprints{
      wrong_fingerprint(), fingerprint_of(*certificate.certificate, HashFunction::sha_512).value()};
  Association association(first_context());
  association.expect(fingerprints);
  OpensslPeer peer({.certificate = &certificate});
  converse(peer, association);
  EXPECT_EQ(association.state(), State::connected);
}

TEST(PeerCertificate, FingerprintsBeyondTheLimitDoNotCount) {
  for (const bool is_within : {true, false}) {
    std::vector<Fingerprint> fingerprints(is_within ? kMaxFingerprints - 1 : kMaxFingerprints,
                                          wrong_fingerprint());
    fingerprints.push_back(
        fingerprint_of(*ec_certificate().certificate, HashFunction::sha_256).value());
    Association association(first_context());
    association.expect(fingerprints);
    OpensslPeer peer({.certificate = &ec_certificate()});
    converse(peer, association);
    EXPECT_EQ(association.state(), is_within ? State::connected : State::failed);
  }
}

TEST(PeerCertificate, OfAnotherEndsTheHandshakeOnBothSides) {
  Association association(first_context());
  expect_one(association, wrong_fingerprint());
  OpensslPeer peer({.certificate = &ec_certificate()});
  converse(peer, association);
  EXPECT_EQ(association.failure(), Failure::wrong_fingerprint);
  EXPECT_FALSE(association.keys());
  EXPECT_FALSE(peer.is_connected());
  EXPECT_NE(peer.alert().find("bad certificate"), std::string::npos) << peer.alert();
}

TEST(PeerCertificate, OfAnotherIsNoticedByTheActiveSideToo) {
  Pair pair;
  Association client(first_context(), {.role = Role::active});
  expect_one(client, wrong_fingerprint());
  pair.client = std::move(client);
  pair.run();
  EXPECT_EQ(pair.client.failure(), Failure::wrong_fingerprint);
  EXPECT_EQ(pair.server.failure(), Failure::alert);
}

TEST(PeerCertificate, IsNotToBeLeftOut) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({});
  converse(peer, association);
  EXPECT_EQ(association.state(), State::failed);
  EXPECT_FALSE(association.keys());
}

// A fingerprint that comes by trickling, or in the answer to our offer.
TEST(PeerCertificate, IsJudgedWhenItsFingerprintBecomesKnown) {
  for (const bool is_right : {true, false}) {
    Association association(first_context());
    OpensslPeer peer({.certificate = &ec_certificate()});
    converse(peer, association);
    EXPECT_TRUE(peer.is_connected());
    EXPECT_EQ(association.state(), State::handshaking);
    EXPECT_EQ(association.next_timeout(), std::nullopt);
    EXPECT_FALSE(association.keys());
    const auto right = fingerprint_of(*ec_certificate().certificate, HashFunction::sha_256);
    expect_one(association, is_right ? *right : wrong_fingerprint());
    if (is_right) {
      EXPECT_EQ(association.state(), State::connected);
      EXPECT_TRUE(association.keys());
    } else {
      EXPECT_EQ(association.failure(), Failure::wrong_fingerprint);
      EXPECT_FALSE(association.keys());
      peer.hear(take(association));
      EXPECT_TRUE(peer.has_heard_close());
    }
    // It is too late for another opinion.
    expect_one(association, is_right ? wrong_fingerprint() : *right);
    EXPECT_EQ(association.state(), is_right ? State::connected : State::failed);
  }
}

TEST(PeerCertificate, HasALimitInSize) {
  // What the message has besides the certificate's padding: found out by the first one.
  const auto outcome_of = [](std::size_t padding, std::size_t* message = nullptr) {
    const Certificate certificate = make_padded_certificate(padding);
    if (message != nullptr) {
      *message = 3 + 3 + static_cast<std::size_t>(i2d_X509(certificate.certificate.get(), nullptr));
    }
    Association association = passive_expecting(certificate);
    OpensslPeer peer({.certificate = &certificate});
    converse(peer, association);
    return association.state();
  };
  std::size_t size = 0;
  std::size_t padding = kMaxCertificateMessage - 500;
  do {
    const Certificate probe = make_padded_certificate(padding);
    size = 3 + 3 + static_cast<std::size_t>(i2d_X509(probe.certificate.get(), nullptr));
    if (size < kMaxCertificateMessage) padding += kMaxCertificateMessage - size;
    if (size > kMaxCertificateMessage) padding -= size - kMaxCertificateMessage;
  } while (size != kMaxCertificateMessage);
  EXPECT_EQ(outcome_of(padding - 2), State::connected);  // signatures vary by a byte or two
  EXPECT_EQ(outcome_of(padding + 4), State::failed);
}

// Chromium's is 1413 bytes in two datagrams, Firefox's 1461, webrtcbin's 277 in two records.
TEST(ClientHello, MaySpanDatagrams) {
  for (const std::size_t padding : {0u, 1'300u, 4'000u}) {
    for (const long mtu : {1'200l, 1'408l, 256l}) {
      Association association = passive_expecting(ec_certificate());
      OpensslPeer peer({.certificate = &ec_certificate(), .mtu = mtu, .hello_padding = padding});
      const Datagrams hello = split(peer.say());
      EXPECT_EQ(hello.size() > 1, padding > 0);
      for (const Bytes& datagram : hello) {
        EXPECT_FALSE(association.next_datagram());
        association.receive({}, datagram);
      }
      for (const Bytes& datagram : split(peer.hear(take(association)))) {
        association.receive({}, datagram);
      }
      peer.hear(take(association));
      if (peer.is_connected()) continue;
      ADD_FAILURE() << padding << ' ' << mtu << association.failure_detail();
    }
  }
}

TEST(ClientHello, MaySpanDatagramsThatComeInAnyOrderAndTwice) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({.certificate = &ec_certificate(), .mtu = 256, .hello_padding = 1'200});
  Datagrams hello = split(peer.say());
  ASSERT_GT(hello.size(), 4u);
  std::ranges::reverse(hello);
  hello.insert(hello.end(), hello.begin(), hello.end());
  for (const Bytes& datagram : hello) association.receive({}, datagram);
  peer.hear(take(association));
  EXPECT_EQ(association.state(), State::handshaking);
  EXPECT_TRUE(association.next_timeout());
}

TEST(ClientHello, MayShareOneDatagramInSeveralRecords) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({.certificate = &ec_certificate(), .mtu = 256, .hello_padding = 300});
  Bytes joined;
  const Datagrams hello = split(peer.say());
  ASSERT_GE(hello.size(), 2u);
  for (const Bytes& datagram : hello) joined.insert(joined.end(), datagram.begin(), datagram.end());
  association.receive({}, joined);
  const Datagrams more = peer.hear(take(association));
  ASSERT_FALSE(more.empty());
  for (const Bytes& datagram : more) association.receive({}, datagram);
  EXPECT_EQ(association.state(), State::connected);
}

TEST(ClientHello, WithoutUseSrtpHasNoCommonProfile) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({.certificate = &ec_certificate(), .profiles = ""});
  converse(peer, association);
  EXPECT_EQ(association.failure(), Failure::no_common_profile);
  EXPECT_TRUE(peer.has_heard_close());
}

TEST(ClientHello, WithoutACommonCipherFailsWithAnAlert) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({.certificate = &ec_certificate(), .ciphers = "AES128-SHA"});
  converse(peer, association);
  EXPECT_EQ(association.failure(), Failure::protocol_error);
  EXPECT_EQ(association.failure_detail(), "no shared cipher");
  EXPECT_NE(peer.alert(), "");
}

TEST(Negotiation, HasForwardSecrecyAndExtendedMasterSecretAndNoResumption) {
  Association association = passive_expecting(ec_certificate());
  OpensslPeer peer({.certificate = &ec_certificate()});
  converse(peer, association);
  ASSERT_TRUE(peer.is_connected());
  EXPECT_STREQ(SSL_get_version(peer.ssl()), "DTLSv1.2");
  EXPECT_STREQ(SSL_get_cipher_name(peer.ssl()), "ECDHE-ECDSA-AES128-GCM-SHA256");
  EXPECT_EQ(SSL_get_extms_support(peer.ssl()), 1);
  const SSL_SESSION* session = SSL_get0_session(peer.ssl());
  EXPECT_EQ(SSL_SESSION_has_ticket(session), 0);
  EXPECT_EQ(SSL_SESSION_is_resumable(session), 0);
}

}  // namespace
}  // namespace runnel::dtls
