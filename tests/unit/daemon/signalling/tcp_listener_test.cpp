// Ports for connections: bound, named when they cannot be had, and accepted from.
#include "daemon/signalling/tcp_listener.h"

#include <cerrno>
#include <gmock/gmock.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <gtest/gtest.h>

#include "daemon/signalling/listeners.h"
#include "tests/unit/daemon/signalling/tcp_client.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;

TcpListener bind_or_fail(const char* address) {
  return TcpListener::bind(SocketAddress::parse(address).value()).value();
}

AcceptedSocket accept_from(TcpListener& listener) {
  pollfd descriptor{listener.descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&descriptor, 1, 10'000), 1);
  return listener.accept().value();
}

int option(int descriptor, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  ::getsockopt(descriptor, level, name, &value, &length);
  return value;
}

TEST(TcpListener, TellsWhoConnects) {
  TcpListener listener = bind_or_fail("127.0.0.1:0");
  EXPECT_EQ(listener.accept().error(), EAGAIN);
  const TcpClient client(listener.local_address());
  const AcceptedSocket accepted = accept_from(listener);
  EXPECT_EQ(accepted.remote.ip, listener.local_address().ip);
  EXPECT_NE(accepted.remote.port, 0);
  EXPECT_EQ(option(accepted.descriptor.get(), IPPROTO_TCP, TCP_NODELAY), 1);
}

TEST(TcpListener, HasAnAddressFamilyToItself) {
  auto v6 = TcpListener::bind(SocketAddress::parse("[::]:0").value());
  if (!v6) GTEST_SKIP() << "no IPv6 here";
  EXPECT_EQ(option(v6->descriptor(), IPPROTO_IPV6, IPV6_V6ONLY), 1);
  const std::string port = std::to_string(v6->local_address().port);
  EXPECT_TRUE(TcpListener::bind(SocketAddress::parse("0.0.0.0:" + port).value()));
}

TEST(TcpListener, CanBeBoundAgainAfterConnections) {
  std::optional<TcpListener> listener = bind_or_fail("127.0.0.1:0");
  const SocketAddress address = listener->local_address();
  TcpClient client(address);
  {
    const AcceptedSocket accepted = accept_from(*listener);  // closes first: TIME_WAIT is ours
  }
  listener.reset();
  client.close();
  EXPECT_TRUE(TcpListener::bind(address));
}

TEST(Listeners, NameEveryPortThatIsTaken) {
  const TcpListener one = bind_or_fail("127.0.0.1:0");
  const TcpListener two = bind_or_fail("127.0.0.1:0");
  const auto bound = bind_listeners({{one.local_address(), {"f.yaml", 3, "listen.signalling[0]"}},
                                     {two.local_address(), {"f.yaml", 3, "listen.signalling[1]"}}});
  ASSERT_FALSE(bound);
  ASSERT_EQ(bound.error().size(), 2u);
  const std::string port = std::to_string(one.local_address().port);
  EXPECT_EQ(bound.error()[0].to_string(),
            "f.yaml:3: listen.signalling[0]: cannot listen on TCP 127.0.0.1:" + port +
                ": the port is in use; 'ss -ltnp sport = :" + port +
                "' shows by whom; end that program or choose another port");
  EXPECT_EQ(bound.error()[1].origin.key, "listen.signalling[1]");
}

TEST(Listeners, SayThatAnAddressIsNotOfThisMachine) {
  const auto bound = bind_listeners({{SocketAddress::parse("203.0.113.1:80").value(), {}}});
  ASSERT_FALSE(bound);
  EXPECT_THAT(bound.error()[0].text, HasSubstr("TCP 203.0.113.1:80: this machine has no such"));
}

}  // namespace
}  // namespace runnel::daemon
