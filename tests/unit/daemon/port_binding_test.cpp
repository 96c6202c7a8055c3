// Ports that cannot be had are named, with what to do, all at once.
#include "daemon/port_binding.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/daemon/configured.h"
#include "tests/unit/daemon/loopback.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

config::Config listening_on(const std::string& addresses) {
  return configured("listen: {media: [" + addresses + "]}");
}

std::string quoted(const SocketAddress& address) {
  return '"' + address.to_string() + '"';
}

TEST(PortBinding, BindsInTheOrderOfThePlan) {
  const SocketAddress first = abandoned_address();
  const SocketAddress second = abandoned_address();
  const config::Config config = listening_on(quoted(first) + ", " + quoted(second));
  const auto bound = bind_ports(PortPlan(config, true), config.limits);
  ASSERT_TRUE(bound) << bound.error().front().to_string();
  ASSERT_EQ(bound->sockets.size(), 2u);
  EXPECT_EQ(bound->sockets[0].local_address(), first);
  EXPECT_EQ(bound->sockets[1].local_address(), second);
}

TEST(PortBinding, NamesEveryPortThatIsTaken) {
  const UdpSocket one = bind_or_die("127.0.0.1:0");
  const UdpSocket two = bind_or_die("127.0.0.1:0");
  const config::Config config =
      listening_on(quoted(one.local_address()) + ", " + quoted(two.local_address()));
  const auto bound = bind_ports(PortPlan(config, true), config.limits);
  ASSERT_FALSE(bound);
  ASSERT_EQ(bound.error().size(), 2u);
  const std::string port = std::to_string(one.local_address().port);
  EXPECT_EQ(bound.error()[0].to_string(),
            "test.yaml:1: listen.media[0]: cannot listen on UDP 127.0.0.1:" + port +
                ": the port is in use; 'ss -lunp sport = :" + port +
                "' shows by whom; end that program or choose another port");
  EXPECT_EQ(bound.error()[1].origin.key, "listen.media[1]");
}

TEST(PortBinding, SaysThatAnAddressIsNotOfThisMachine) {
  const config::Config config = listening_on("\"203.0.113.1:5004\"");
  const auto bound = bind_ports(PortPlan(config, true), config.limits);
  ASSERT_FALSE(bound);
  EXPECT_THAT(bound.error()[0].text, HasSubstr("this machine has no such address"));
  EXPECT_THAT(bound.error()[0].remedy, HasSubstr("0.0.0.0"));
}

TEST(PortBinding, IsSilentAboutBuffersThatAreGranted) {
  const config::Config config = listening_on(quoted(abandoned_address()));
  config::Limits limits;
  limits.receive_buffer = 64 * 1024;
  limits.send_buffer = 64 * 1024;
  const auto enough = bind_ports(PortPlan(config, true), limits);
  ASSERT_TRUE(enough);
  EXPECT_THAT(enough->warnings, IsEmpty());
}

TEST(PortBinding, NamesTheSysctlsWhenTheKernelGrantsLess) {
  const config::Config config = listening_on(quoted(abandoned_address()));
  config::Limits limits;
  limits.receive_buffer = std::size_t{4} << 30;  // beyond what any kernel can express
  limits.send_buffer = std::size_t{4} << 30;
  const auto bound = bind_ports(PortPlan(config, true), limits);
  ASSERT_TRUE(bound);
  ASSERT_EQ(bound->warnings.size(), 2u);
  EXPECT_THAT(bound->warnings[0], HasSubstr("receive buffers of"));
  EXPECT_THAT(bound->warnings[0], HasSubstr("'sysctl -w net.core.rmem_max=4294967296'"));
  EXPECT_THAT(bound->warnings[1], HasSubstr("net.core.wmem_max"));
}

}  // namespace
}  // namespace runnel::daemon
