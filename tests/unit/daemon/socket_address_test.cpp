// Addresses survive the way to the kernel and back.
#include "daemon/socket_address.h"

#include <arpa/inet.h>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

SocketAddress round_trip(const SocketAddress& address) {
  KernelAddress kernel;
  const socklen_t length = to_kernel(address, kernel);
  return from_kernel(kernel, length).value();
}

TEST(SocketAddressConversion, KeepsBothFamilies) {
  for (const char* text : {"192.0.2.1:5004", "0.0.0.0:0", "[2001:db8::1]:65535", "[::]:7000"}) {
    const auto address = SocketAddress::parse(text).value();
    EXPECT_EQ(round_trip(address), address) << text;
  }
}

TEST(SocketAddressConversion, WritesNetworkOrder) {
  KernelAddress kernel;
  EXPECT_EQ(to_kernel(SocketAddress::parse("192.0.2.1:5004").value(), kernel), sizeof(sockaddr_in));
  EXPECT_EQ(kernel.v4.sin_family, AF_INET);
  EXPECT_EQ(ntohs(kernel.v4.sin_port), 5004);
  EXPECT_EQ(ntohl(kernel.v4.sin_addr.s_addr), 0xc0000201u);
}

TEST(SocketAddressConversion, KeepsTheScopeOfALinkLocalAddress) {
  const auto ip = IpAddress::v6({0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 3);
  EXPECT_EQ(round_trip({ip, 5004}).ip.scope_id(), 3u);
}

TEST(SocketAddressConversion, TakesAMappedAddressForTheIpv4AddressItIs) {
  KernelAddress kernel;
  kernel.v6 = {};
  kernel.v6.sin6_family = AF_INET6;
  kernel.v6.sin6_port = htons(9);
  ASSERT_EQ(inet_pton(AF_INET6, "::ffff:192.0.2.1", &kernel.v6.sin6_addr), 1);
  EXPECT_EQ(from_kernel(kernel, sizeof kernel.v6), SocketAddress::parse("192.0.2.1:9"));
}

TEST(SocketAddressConversion, RefusesWhatIsNoInternetAddress) {
  KernelAddress kernel;
  to_kernel(SocketAddress::parse("[2001:db8::1]:1").value(), kernel);
  EXPECT_FALSE(from_kernel(kernel, sizeof kernel.v6 - 1));
  EXPECT_FALSE(from_kernel(kernel, 0));
  kernel.generic.sa_family = AF_UNIX;
  EXPECT_FALSE(from_kernel(kernel, sizeof kernel));
}

}  // namespace
}  // namespace runnel::daemon
