// Everything that can leave leaves, in order and unchanged, whichever way the kernel offers; what
// cannot is reported and harms nobody else.
#include "daemon/udp_sender.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

#include "tests/unit/daemon/loopback.h"

namespace runnel::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

struct Way {
  const char* name;
  SocketCapabilities capabilities;
};

class UdpSenderTest : public testing::TestWithParam<Way> {
 protected:
  UdpSenderTest() {
    sockets_.push_back(bind_or_die("127.0.0.1:0"));
    sockets_.push_back(bind_or_die("127.0.0.1:0"));
  }

  void add(const SocketAddress& to, const std::string& bytes, std::uint16_t port = 0) {
    const ByteSpan slot = outbox_.next_slot().first(bytes.size());
    copy_bytes(slot, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    const auto owner = static_cast<std::uint32_t>(outbox_.datagrams().size());
    outbox_.push({relay::PortIndex{port}, to, slot, owner});
  }
  void send() { sender_.send(sockets_, outbox_.datagrams()); }

  std::vector<UdpSocket> sockets_;
  UdpSocket one_ = bind_or_die("127.0.0.1:0");
  UdpSocket two_ = bind_or_die("127.0.0.1:0");
  relay::Outbox outbox_;
  UdpSender sender_{relay::Outbox::kDefaultSlots, GetParam().capabilities};
};

INSTANTIATE_TEST_SUITE_P(
    Ways, UdpSenderTest,
    testing::Values(Way{"all", {}}, Way{"without_segments", {.udp_segment = false}},
                    Way{"without_sendmmsg", {.sendmmsg = false}},
                    Way{"with_neither", {.sendmmsg = false, .udp_segment = false}}),
    [](const auto& way) { return way.param.name; });

TEST_P(UdpSenderTest, SendsNothing) {
  send();
  EXPECT_THAT(sender_.failures(), IsEmpty());
}

TEST_P(UdpSenderTest, KeepsDatagramsApartAndInOrder) {
  for (const char* bytes : {"aaaa", "bbbb", "cccc", "dd", "ee", "fffff", "g"}) {
    add(one_.local_address(), bytes);
  }
  send();
  EXPECT_THAT(sender_.failures(), IsEmpty());
  for (const char* bytes : {"aaaa", "bbbb", "cccc", "dd", "ee", "fffff", "g"}) {
    EXPECT_EQ(next_datagram(one_), bytes);
  }
  EXPECT_TRUE(is_silent(one_));
}

TEST_P(UdpSenderTest, ServesSeveralReceiversFromSeveralPorts) {
  add(one_.local_address(), "1a", 0);
  add(one_.local_address(), "1b", 0);
  add(two_.local_address(), "2a", 0);
  add(two_.local_address(), "2b", 1);
  add(one_.local_address(), "1c", 1);
  send();
  EXPECT_THAT(sender_.failures(), IsEmpty());
  for (const char* bytes : {"1a", "1b", "1c"}) EXPECT_EQ(next_datagram(one_), bytes);
  for (const char* bytes : {"2a", "2b"}) EXPECT_EQ(next_datagram(two_), bytes);
}

TEST_P(UdpSenderTest, SendsAFullOutboxOfTheLongestPackets) {
  one_.set_receive_buffer(4 * 1024 * 1024);
  sockets_[0].set_send_buffer(4 * 1024 * 1024);
  for (std::size_t i = 0; i < outbox_.capacity(); ++i) {
    add(one_.local_address(), std::string(kPacketCapacity, static_cast<char>('a' + i % 26)));
  }
  send();
  EXPECT_THAT(sender_.failures(), IsEmpty());
  for (std::size_t i = 0; i < outbox_.capacity(); ++i) {
    ASSERT_EQ(next_datagram(one_), std::string(kPacketCapacity, static_cast<char>('a' + i % 26)));
  }
}

TEST_P(UdpSenderTest, SendsOverIpv6) {
  if (!has_ipv6_loopback()) GTEST_SKIP() << "this machine has no IPv6";
  sockets_.push_back(bind_or_die("[::1]:0"));
  const UdpSocket receiver = bind_or_die("[::1]:0");
  add(receiver.local_address(), "six", 2);
  add(receiver.local_address(), "six", 2);
  send();
  EXPECT_EQ(next_datagram(receiver), "six");
  EXPECT_EQ(next_datagram(receiver), "six");
}

TEST_P(UdpSenderTest, ReportsADeadReceiverAndServesTheOthers) {
  const SocketAddress nobody = abandoned_address();
  add(nobody, "lost");
  send();
  ASSERT_TRUE(wait_for(sockets_[0], POLLPRI));
  outbox_.clear();
  add(one_.local_address(), "next to leave on the same socket");
  add(two_.local_address(), "and another");
  send();
  EXPECT_THAT(sender_.failures(), IsEmpty());
  EXPECT_THAT(sender_.unreachable(), ElementsAre(UnreachableReport{relay::PortIndex{0}, nobody}));
  EXPECT_EQ(next_datagram(one_), "next to leave on the same socket");
  EXPECT_EQ(next_datagram(two_), "and another");
}

TEST_P(UdpSenderTest, BlamesOnlyWhatCannotBeSent) {
  // A socket bound to loopback has no way out; that is refused at once, as after the loss of an
  // interface.
  const auto elsewhere = SocketAddress::parse("203.0.113.1:9").value();
  add(one_.local_address(), "before");
  add(elsewhere, "xxxx");
  add(elsewhere, "xxxx");
  add(two_.local_address(), "after");
  send();
  ASSERT_EQ(sender_.failures().size(), 2u);
  EXPECT_EQ(sender_.failures()[0].owner, 1u);
  EXPECT_EQ(sender_.failures()[1].owner, 2u);
  EXPECT_EQ(next_datagram(one_), "before");
  EXPECT_EQ(next_datagram(two_), "after");
}

TEST_P(UdpSenderTest, GoesOnWithoutSegmentsWhereTheKernelRefusesThem) {
  // The kernel does not segment without checksums.
  const int on = 1;
  ASSERT_EQ(::setsockopt(sockets_[0].descriptor(), SOL_SOCKET, SO_NO_CHECK, &on, sizeof on), 0);
  for (int round = 0; round < 2; ++round) {
    outbox_.clear();
    for (const char* bytes : {"before", "aaaa", "bbbb", "cc"}) add(one_.local_address(), bytes);
    add(two_.local_address(), "other", 1);
    add(two_.local_address(), "other", 1);
    send();
    EXPECT_THAT(sender_.failures(), IsEmpty());
    for (const char* bytes : {"before", "aaaa", "bbbb", "cc"})
      EXPECT_EQ(next_datagram(one_), bytes);
    EXPECT_EQ(next_datagram(two_), "other");
    EXPECT_EQ(next_datagram(two_), "other");
  }
  EXPECT_EQ(sender_.uses_segmentation(), GetParam().capabilities.udp_segment)
      << "one destination that refuses does not spoil it for the others";
}

// A network of its own, whose far end never answers ARP: packets to it wait in the kernel and fill
// the send buffer. False where the process may not have one.
bool enter_network_with_a_silent_neighbour() {
  return ::unshare(CLONE_NEWNET) == 0 &&
         std::system(
             "ip link set lo up && ip link add near type veth peer name far && "
             "ip address add 192.0.2.1/24 dev near && ip link set near up && ip link set far up") ==
             0;
}

TEST_P(UdpSenderTest, DropsWhatTheSendBufferCannotHoldAndServesOtherPorts) {
  bool entered = false;
  std::thread([&] {
    entered = enter_network_with_a_silent_neighbour();
    if (!entered) return;
    sockets_[0] = bind_or_die("192.0.2.1:0");
    sockets_[0].set_send_buffer(1);
    sockets_[1] = bind_or_die("127.0.0.1:0");
    const UdpSocket receiver = bind_or_die("127.0.0.1:0");
    while (outbox_.datagrams().size() + 1 < outbox_.capacity()) {
      add(SocketAddress::parse("192.0.2.2:9").value(), std::string(1200, 'x'));
    }
    add(receiver.local_address(), "unharmed", 1);
    send();
    EXPECT_EQ(next_datagram(receiver), "unharmed");
  }).join();
  if (!entered) GTEST_SKIP() << "this process may not make a network namespace";
  ASSERT_THAT(sender_.failures(), Not(IsEmpty()));
  std::uint32_t next = sender_.failures().front().owner;
  EXPECT_GT(next, 0u) << "something fitted";
  for (const SendFailure& failure : sender_.failures()) {
    EXPECT_EQ(failure, (SendFailure{next, DropReason::send_buffer_full}));
    ++next;
  }
  EXPECT_EQ(next, outbox_.capacity() - 1) << "all of the full socket but none of the other";
}

TEST(Segmentation, RemembersDestinationsThatRefuseIt) {
  Segmentation segmentation(true);
  segmentation.refused({IpAddress{}, 1});
  EXPECT_FALSE(segmentation.allowed({IpAddress{}, 1}));
  EXPECT_TRUE(segmentation.allowed({IpAddress{}, 2}));
}

TEST(Segmentation, GivesUpWhenTooManyDestinationsRefuseIt) {
  Segmentation segmentation(true);
  for (std::uint16_t port = 0; port < Segmentation::kMaxRefusals; ++port) {
    segmentation.refused({IpAddress{}, port});
    segmentation.refused({IpAddress{}, port});
  }
  EXPECT_TRUE(segmentation.enabled());
  segmentation.refused({IpAddress{}, Segmentation::kMaxRefusals});
  EXPECT_FALSE(segmentation.enabled());
}

}  // namespace
}  // namespace runnel::daemon
