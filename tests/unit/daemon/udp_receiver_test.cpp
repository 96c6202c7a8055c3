// Datagrams come in whole, with their origin, in batches that never exceed their bound.
#include "daemon/udp_receiver.h"

#include <gtest/gtest.h>

#include "tests/unit/daemon/loopback.h"

namespace runnel::daemon {
namespace {

constexpr relay::PortIndex kPort{3};

std::string text(const relay::IncomingDatagram& datagram) {
  return {datagram.bytes.begin(), datagram.bytes.end()};
}

class UdpReceiverTest : public testing::TestWithParam<bool> {
 protected:
  UdpReceiver receiver_{SocketCapabilities{.recvmmsg = GetParam()}};
  UdpSocket socket_ = bind_or_die("127.0.0.1:0");
  UdpSocket peer_ = bind_or_die("127.0.0.1:0");

  void receive_all() {
    while (receiver_.receive(socket_, kPort)) {
    }
  }
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutRecvmmsg, UdpReceiverTest, testing::Bool(),
                         [](const auto& use) { return use.param ? "recvmmsg" : "recvmsg"; });

TEST_P(UdpReceiverTest, HasNothingWhenNothingWaits) {
  EXPECT_FALSE(receiver_.receive(socket_, kPort));
  EXPECT_TRUE(receiver_.datagrams().empty());
}

TEST_P(UdpReceiverTest, TakesDatagramsWithTheirOrigin) {
  send_to(peer_, socket_.local_address(), "first");
  send_to(peer_, socket_.local_address(), "second");
  receive_all();
  ASSERT_EQ(receiver_.datagrams().size(), 2u);
  EXPECT_EQ(text(receiver_.datagrams()[0]), "first");
  EXPECT_EQ(text(receiver_.datagrams()[1]), "second");
  EXPECT_EQ(receiver_.datagrams()[1].remote, peer_.local_address());
  EXPECT_EQ(receiver_.datagrams()[1].port, kPort);
  EXPECT_FALSE(receiver_.datagrams()[1].truncated);
}

TEST_P(UdpReceiverTest, CollectsFromSeveralSockets) {
  const UdpSocket other = bind_or_die("127.0.0.1:0");
  send_to(peer_, socket_.local_address(), "to one");
  send_to(peer_, other.local_address(), "to the other");
  receive_all();
  while (receiver_.receive(other, relay::PortIndex{4})) {
  }
  ASSERT_EQ(receiver_.datagrams().size(), 2u);
  EXPECT_EQ(text(receiver_.datagrams()[0]), "to one");
  EXPECT_EQ(text(receiver_.datagrams()[1]), "to the other");
  EXPECT_EQ(receiver_.datagrams()[1].port, relay::PortIndex{4});
}

TEST_P(UdpReceiverTest, MarksWhatIsLongerThanABuffer) {
  send_to(peer_, socket_.local_address(), std::string(kMaxDatagramSize, 'a'));
  send_to(peer_, socket_.local_address(), std::string(kMaxDatagramSize + 1, 'b'));
  send_to(peer_, socket_.local_address(), std::string(60'000, 'c'));
  send_to(peer_, socket_.local_address(), "");
  receive_all();
  ASSERT_EQ(receiver_.datagrams().size(), 4u);
  EXPECT_FALSE(receiver_.datagrams()[0].truncated);
  EXPECT_EQ(receiver_.datagrams()[0].bytes.size(), kMaxDatagramSize);
  EXPECT_TRUE(receiver_.datagrams()[1].truncated);
  EXPECT_TRUE(receiver_.datagrams()[2].truncated);
  EXPECT_FALSE(receiver_.datagrams()[3].truncated);
  EXPECT_TRUE(receiver_.datagrams()[3].bytes.empty());
}

TEST_P(UdpReceiverTest, StopsAtItsBoundAndGoesOnAfterClear) {
  for (std::size_t i = 0; i < UdpReceiver::kBatch + 1; ++i) {
    send_to(peer_, socket_.local_address(), std::to_string(i));
  }
  while (!receiver_.full()) EXPECT_TRUE(receiver_.receive(socket_, kPort));
  EXPECT_TRUE(receiver_.receive(socket_, kPort)) << "the socket still has one";
  EXPECT_EQ(receiver_.datagrams().size(), UdpReceiver::kBatch);
  receiver_.clear();
  receive_all();
  ASSERT_EQ(receiver_.datagrams().size(), 1u);
  EXPECT_EQ(text(receiver_.datagrams()[0]), std::to_string(UdpReceiver::kBatch));
}

TEST_P(UdpReceiverTest, IsNotStoppedByAnIcmpErrorOfTheSameSocket) {
  send_to(socket_, abandoned_address(), "to nobody");
  ASSERT_TRUE(wait_for(socket_, POLLPRI));
  send_to(peer_, socket_.local_address(), "media");
  receive_all();
  ASSERT_EQ(receiver_.datagrams().size(), 1u);
  EXPECT_EQ(text(receiver_.datagrams()[0]), "media");
}

TEST_P(UdpReceiverTest, TakesIpv6) {
  if (!has_ipv6_loopback()) GTEST_SKIP() << "this machine has no IPv6";
  const UdpSocket socket = bind_or_die("[::1]:0");
  const UdpSocket peer = bind_or_die("[::1]:0");
  send_to(peer, socket.local_address(), "six");
  while (receiver_.receive(socket, kPort)) {
  }
  ASSERT_EQ(receiver_.datagrams().size(), 1u);
  EXPECT_EQ(receiver_.datagrams()[0].remote, peer.local_address());
}

}  // namespace
}  // namespace runnel::daemon
