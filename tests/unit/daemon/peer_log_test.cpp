// What the log says of peers.
#include "daemon/peer_log.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/entropy.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;
using transport::PeerEndReason;
using transport::PeerId;

class PeerLogTest : public testing::Test {
 protected:
  LogLine line(const transport::Event& event) {
    return describe(event, PeerSurroundings{transports_, PortIndex{2}, limits_});
  }

  SystemRandom random_;
  dtls::Context certificate_ = dtls::Context::self_signed().value();
  transport::Transports transports_{{}, certificate_, random_};
  config::Limits limits_;
  SocketAddress address_ = SocketAddress::parse("192.0.2.9:5555").value();
};

TEST_F(PeerLogTest, SaysWhereAPeerIsAndHow) {
  EXPECT_EQ(line(transport::PeerConnected{PeerId{7}, {PortIndex{1}, address_}}).message,
            "peer 7 is connected from 192.0.2.9:5555 by UDP");
  const LogLine moved = line(transport::PeerMoved{PeerId{7}, {PortIndex{2}, address_}});
  EXPECT_EQ(moved.message, "peer 7 has moved to 192.0.2.9:5555 by TCP");
  EXPECT_EQ(moved.level, config::LogLevel::info);
}

TEST_F(PeerLogTest, SaysThatAConnectionWasClosed) {
  EXPECT_EQ(line(transport::PeerPathClosed{PeerId{7}, {PortIndex{2}, address_}}).message,
            "peer 7 has lost its way: the connection from 192.0.2.9:5555 by TCP was closed; media "
            "goes on if it comes by another");
}

TEST_F(PeerLogTest, SaysThatAPeerIsSilent) {
  const LogLine stalled = line(transport::PeerStalled{PeerId{7}});
  EXPECT_EQ(stalled.message, "peer 7 has stalled: nothing has come for 18 s");
  EXPECT_EQ(stalled.level, config::LogLevel::warning);
  EXPECT_EQ(line(transport::PeerResumed{PeerId{7}}).message, "peer 7 is heard again");
}

TEST_F(PeerLogTest, SaysWhyAPeerHasEnded) {
  const auto ended = [&](PeerEndReason reason) {
    return line(transport::PeerEnded{PeerId{7}, reason});
  };
  EXPECT_EQ(ended(PeerEndReason::closed).message, "peer 7 has ended: it said goodbye");
  EXPECT_EQ(ended(PeerEndReason::closed).level, config::LogLevel::info);
  EXPECT_EQ(ended(PeerEndReason::consent_lost).message,
            "peer 7 has ended: nothing was heard of it for 30 s");
  EXPECT_THAT(ended(PeerEndReason::never_connected).message,
              HasSubstr("it did not connect within 30 s; can it reach the addresses"));
  const LogLine forged = ended(PeerEndReason::wrong_fingerprint);
  EXPECT_THAT(forged.message, HasSubstr("its certificate is not the one"));
  EXPECT_EQ(forged.level, config::LogLevel::warning);
}

TEST_F(PeerLogTest, CountsPeers) {
  transport::Transports::Counts counts;
  counts.peers = 3;
  counts.connected = 2;
  counts.handshakes = 1;
  EXPECT_EQ(describe(counts).message, "peers: 3 (2 connected); 1 handshake, 0 failed");
}

}  // namespace
}  // namespace runnel::daemon
