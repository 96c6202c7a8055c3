// Binding, buffers, and what the network complains about.
#include "daemon/udp_socket.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "tests/unit/daemon/loopback.h"

namespace runnel::daemon {
namespace {

TEST(UdpSocket, TellsThePortThatTheKernelChose) {
  const UdpSocket socket = bind_or_die("127.0.0.1:0");
  EXPECT_NE(socket.local_address().port, 0);
  EXPECT_EQ(socket.local_address().ip, IpAddress::v4({127, 0, 0, 1}));
}

TEST(UdpSocket, SaysThatAPortIsTaken) {
  const UdpSocket first = bind_or_die("127.0.0.1:0");
  const auto second = UdpSocket::bind(first.local_address());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_EQ(second.error().operation, "bind");
}

TEST(UdpSocket, LeavesThePortOfTheOtherFamilyFree) {
  if (!has_ipv6_loopback()) GTEST_SKIP() << "this machine has no IPv6";
  const UdpSocket v6 = bind_or_die("[::]:0");
  const SocketAddress same_port{IpAddress{}, v6.local_address().port};
  EXPECT_TRUE(UdpSocket::bind(same_port));
}

TEST(UdpSocket, TellsHowLargeABufferTheKernelGrants) {
  UdpSocket socket = bind_or_die("127.0.0.1:0");
  const BufferGrant small = socket.set_receive_buffer(64 * 1024);
  EXPECT_EQ(small.asked, 64u * 1024);
  EXPECT_EQ(small.granted, 64u * 1024);
  EXPECT_EQ(socket.set_send_buffer(64 * 1024).granted, 64u * 1024);
  EXPECT_GT(socket.set_send_buffer(SIZE_MAX).granted, 0u);
}

TEST(UdpSocket, CountsWhatOverflowsTheReceiveBuffer) {
  const UdpSocket sender = bind_or_die("127.0.0.1:0");
  UdpSocket socket = bind_or_die("127.0.0.1:0");
  socket.set_receive_buffer(8 * 1024);
  EXPECT_EQ(socket.receive_overflows(), 0u);
  for (int i = 0; i < 100; ++i) {
    send_to(sender, socket.local_address(), std::string(1200, 'x'));
  }
  EXPECT_GT(socket.receive_overflows(), 50u);
  EXPECT_LT(socket.receive_overflows(), 100u);
}

TEST(UdpSocket, TellsWhichDestinationIsNotThere) {
  UdpSocket socket = bind_or_die("127.0.0.1:0");
  EXPECT_FALSE(socket.next_icmp_error());
  const SocketAddress nobody = abandoned_address();
  send_to(socket, nobody, "hello");
  ASSERT_TRUE(wait_for(socket, POLLPRI));
  const auto error = socket.next_icmp_error();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->destination, nobody);
  EXPECT_TRUE(error->unreachable);
  EXPECT_FALSE(socket.next_icmp_error());
}

TEST(UdpSocket, TellsWhichIpv6DestinationIsNotThere) {
  if (!has_ipv6_loopback()) GTEST_SKIP() << "this machine has no IPv6";
  UdpSocket socket = bind_or_die("[::1]:0");
  const SocketAddress nobody = bind_or_die("[::1]:0").local_address();
  send_to(socket, nobody, "hello");
  ASSERT_TRUE(wait_for(socket, POLLPRI));
  const auto error = socket.next_icmp_error();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->destination, nobody);
  EXPECT_TRUE(error->unreachable);
}

}  // namespace
}  // namespace runnel::daemon
