#include "tests/bench/relay/udp_socket.h"

#include <cstdio>
#include <cstdlib>
#include <netinet/udp.h>
#include <unistd.h>

namespace runnel::bench {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::exit(1);
}

}  // namespace

UdpSocket::UdpSocket(const sockaddr_in& local, int buffer_size)
    : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  require(fd_ >= 0, "socket");
  // Forcing needs CAP_NET_ADMIN; without it the kernel grants what rmem_max and wmem_max allow.
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, buffer_size)) (void)set(SOL_SOCKET, SO_RCVBUF, buffer_size);
  if (!set(SOL_SOCKET, SO_SNDBUFFORCE, buffer_size)) (void)set(SOL_SOCKET, SO_SNDBUF, buffer_size);
  require(::bind(fd_, reinterpret_cast<const sockaddr*>(&local), sizeof local) == 0, "bind");
}

UdpSocket::~UdpSocket() {
  ::close(fd_);
}

void UdpSocket::connect(const sockaddr_in& remote) {
  require(::connect(fd_, reinterpret_cast<const sockaddr*>(&remote), sizeof remote) == 0,
          "connect");
}

bool UdpSocket::set(int level, int option, int value) noexcept {
  return ::setsockopt(fd_, level, option, &value, sizeof value) == 0;
}

sockaddr_in ipv4(std::uint32_t host_order_address, std::uint16_t port) noexcept {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(host_order_address);
  return address;
}

void SegmentControl::attach(msghdr& message, std::uint16_t size) noexcept {
  message.msg_control = bytes.data();
  message.msg_controllen = CMSG_SPACE(sizeof size);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof size);
  std::memcpy(CMSG_DATA(header), &size, sizeof size);
}

}  // namespace runnel::bench
