// Addresses that are right, and those that are almost right.
#include "config/addresses.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::config {
namespace {

using testing::HasSubstr;

/// "TEXT; REMEDY" of what was refused.
template <typename T>
std::string complaint(const std::expected<T, Complaint>& result) {
  return result ? "accepted" : result.error().text + "; " + result.error().remedy;
}

TEST(Addresses, ListenTakesLiteralAddresses) {
  EXPECT_EQ(parse_listen("0.0.0.0:5004")->to_string(), "0.0.0.0:5004");
  EXPECT_EQ(parse_listen("[::]:65535")->to_string(), "[::]:65535");
}

TEST(Addresses, ListenSaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"localhost:5004", "\"127.0.0.1:5004\" or \"[::1]:5004\""},
      {"*:5004", "\"0.0.0.0:5004\""},
      {":5004", "\"[::]:5004\""},
      {"5004", "a port without an address"},
      {"0.0.0.0", "has no port"},
      {"::", "[ADDRESS]:PORT"},
      {"2001:db8::1:5004", "[ADDRESS]:PORT"},
      {"[::]", "has no port"},
      {"[0.0.0.0]:5004", "brackets around what is no IPv6 address"},
      {"0.0.0.0:0", "use a port from 1 to 65535"},
      {"0.0.0.0:65536", "use a port from 1 to 65535"},
      {"0.0.0.0:0x50", "use a port from 1 to 65535"},
      {"0.0.0.0:", "use a port from 1 to 65535"},
      {"udp://0.0.0.0:5004", "is a URL"},
      {"YOUR_ADDRESS:5004", "is a placeholder"},
      {"camera.lan:5004", "is no IP address"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(complaint(parse_listen(text)), HasSubstr(expected)) << text;
  }
}

TEST(Addresses, EndpointsMayBeNames) {
  for (const char* text : {"192.0.2.9:6000", "[2001:db8::9]:6000", "receiver.example.net:6000",
                           "recorder:6000", "3com.net.:6000", "10.0.cam.lan:6000"}) {
    const auto endpoint = parse_endpoint(text);
    ASSERT_TRUE(endpoint) << text << ": " << complaint(endpoint);
    EXPECT_EQ(endpoint->to_string(), text);
  }
  EXPECT_EQ(parse_endpoint("receiver.example.net:6000")->literal(), std::nullopt);
}

TEST(Addresses, EndpointsRefuseWhatCannotBeReached) {
  const std::pair<const char*, const char*> cases[] = {
      {"198.51.100.x:6000", "neither an IP address nor a host name"},
      {"300.1.2.3:6000", "neither an IP address nor a host name"},
      {"under_score:6000", "neither an IP address nor a host name"},
      {"-a:6000", "neither an IP address nor a host name"},
      {"a..b:6000", "neither an IP address nor a host name"},
      {"0.0.0.0:6000", "is no destination"},
      {"[::]:6000", "is no destination"},
      {"<receiver>:6000", "is a placeholder"},
      {"rtp://192.0.2.9:6000", "is a URL"},
      {"192.0.2.9", "has no port"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(complaint(parse_endpoint(text)), HasSubstr(expected)) << text;
  }
  EXPECT_FALSE(parse_endpoint(std::string(254, 'a') + ":6000"));
  EXPECT_FALSE(parse_endpoint(std::string(64, 'a') + ":6000"));
  EXPECT_TRUE(parse_endpoint(std::string(63, 'a') + ":6000"));
}

TEST(Addresses, NetworksAdviseTheNearestRightOne) {
  EXPECT_EQ(parse_network("192.0.2.0/24")->to_string(), "192.0.2.0/24");
  EXPECT_EQ(parse_network("2001:db8::7")->to_string(), "2001:db8::7/128");
  EXPECT_THAT(complaint(parse_network("192.0.2.77/26")),
              HasSubstr("write \"192.0.2.64/26\" for the network, or \"192.0.2.77\""));
  EXPECT_THAT(complaint(parse_network("2001:db8::7/32")), HasSubstr("\"2001:db8::/32\""));
  EXPECT_THAT(complaint(parse_network("192.0.2.0/33")), HasSubstr("use /0 to /32"));
  EXPECT_THAT(complaint(parse_network("192.0.2.0/")), HasSubstr("use /0 to /32"));
  EXPECT_THAT(complaint(parse_network("lan")), HasSubstr("CIDR"));
}

TEST(Addresses, KnowsTheBlocksOfDocumentation) {
  EXPECT_TRUE(is_documentation(*IpAddress::parse("198.51.100.9")));
  EXPECT_TRUE(is_documentation(*IpAddress::parse("2001:db8::9")));
  EXPECT_FALSE(is_documentation(*IpAddress::parse("10.0.0.1")));
}

}  // namespace
}  // namespace runnel::config
