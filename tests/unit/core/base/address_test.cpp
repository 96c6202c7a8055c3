#include "core/base/address.h"

#include <array>
#include <set>
#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

namespace runnel {
namespace {

using namespace std::string_view_literals;

std::string reprinted(std::string_view text) {
  const auto ip = IpAddress::parse(text);
  return ip ? ip->to_string() : "refused";
}

TEST(IpAddress, IsParsedAndPrinted) {
  EXPECT_EQ(reprinted("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(reprinted("0.0.0.0"), "0.0.0.0");
  EXPECT_EQ(reprinted("255.255.255.255"), "255.255.255.255");
  EXPECT_EQ(reprinted("2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(reprinted("::"), "::");
  EXPECT_EQ(reprinted("::1"), "::1");
  EXPECT_EQ(reprinted("fe80::1:2:3:4"), "fe80::1:2:3:4");
}

TEST(IpAddress, IsPrintedAsRfc5952Section4Recommends) {
  EXPECT_EQ(reprinted("2001:0db8::0001"), "2001:db8::1");         // §4.1 no leading zeros
  EXPECT_EQ(reprinted("2001:db8:0:0:0:0:2:1"), "2001:db8::2:1");  // §4.2.1 as short as can be
  EXPECT_EQ(reprinted("2001:db8::1:1:1:1:1"),
            "2001:db8:0:1:1:1:1:1");                                  // §4.2.2 not one field alone
  EXPECT_EQ(reprinted("2001:0:0:1:0:0:0:1"), "2001:0:0:1::1");        // §4.2.3 the longest run
  EXPECT_EQ(reprinted("2001:db8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");  // §4.2.3 the first of equals
  EXPECT_EQ(reprinted("2001:DB8::ABCD"), "2001:db8::abcd");           // §4.3 lower case
}

TEST(IpAddress, MappedIntoIpv6IsIpv4) {
  const auto mapped = IpAddress::parse("::ffff:192.0.2.1");
  ASSERT_TRUE(mapped.has_value());
  EXPECT_TRUE(mapped->is_v4());
  EXPECT_EQ(mapped, IpAddress::v4({192, 0, 2, 1}));
  EXPECT_EQ(mapped, IpAddress::parse("192.0.2.1"));
  EXPECT_EQ(mapped, IpAddress::parse("::ffff:c000:201"));
  EXPECT_EQ(IpAddress::v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1}, 3), mapped)
      << "a scope means nothing to an IPv4 address";
  EXPECT_FALSE(IpAddress::parse("::fffe:192.0.2.1")->is_v4());
}

TEST(IpAddress, RefusesRubbish) {
  for (const std::string_view text : {""sv,
                                      " "sv,
                                      "localhost"sv,
                                      "1"sv,
                                      "1.2.3"sv,
                                      "1.2.3.4.5"sv,
                                      "1.2.3.256"sv,
                                      "1.2.3.-4"sv,
                                      "01.2.3.4"sv,
                                      "1.2.3.4 "sv,
                                      " 1.2.3.4"sv,
                                      "1.2.3.4:80"sv,
                                      "1..2.3"sv,
                                      "0x7f.0.0.1"sv,
                                      ":"sv,
                                      ":::"sv,
                                      "1::2::3"sv,
                                      "1:2:3:4:5:6:7"sv,
                                      "1:2:3:4:5:6:7:8:9"sv,
                                      "12345::"sv,
                                      "g::1"sv,
                                      "[::1]"sv,
                                      "::1/64"sv,
                                      "fe80::1%eth0"sv,
                                      "::ffff:1.2.3"sv,
                                      "1.2.3.4\0"sv,
                                      "1.2.3.4\0 rubbish"sv,
                                      "::1\0"sv,
                                      "\0"sv}) {
    EXPECT_FALSE(IpAddress::parse(text).has_value()) << text;
  }
  EXPECT_FALSE(IpAddress::parse(std::string(1000, '1')).has_value());
}

TEST(IpAddress, TheLongestLiteralIsParsed) {
  EXPECT_EQ(reprinted("1111:2222:3333:4444:5555:6666:123.123.123.123"),
            "1111:2222:3333:4444:5555:6666:7b7b:7b7b");
}

TEST(IpAddress, KnowsTheUnspecifiedAndTheLoopback) {
  EXPECT_TRUE(IpAddress().is_unspecified());
  EXPECT_TRUE(IpAddress::parse("0.0.0.0")->is_unspecified());
  EXPECT_TRUE(IpAddress::parse("::")->is_unspecified());
  EXPECT_FALSE(IpAddress::parse("::1")->is_unspecified());
  EXPECT_FALSE(IpAddress::parse("0.0.0.1")->is_unspecified());
  EXPECT_TRUE(IpAddress::parse("127.0.0.1")->is_loopback());
  EXPECT_TRUE(IpAddress::parse("127.255.0.9")->is_loopback());
  EXPECT_TRUE(IpAddress::parse("::1")->is_loopback());
  EXPECT_TRUE(IpAddress::parse("::ffff:127.0.0.1")->is_loopback());
  EXPECT_FALSE(IpAddress::parse("128.0.0.1")->is_loopback());
  EXPECT_FALSE(IpAddress::parse("::2")->is_loopback());
  EXPECT_FALSE(IpAddress::parse("1::1")->is_loopback());
  EXPECT_FALSE(IpAddress::parse("::")->is_loopback());
}

TEST(IpAddress, LinkLocalAddressesOfTwoInterfacesDiffer) {
  std::array<std::uint8_t, 16> bytes{0xfe, 0x80};
  bytes[15] = 1;
  EXPECT_EQ(IpAddress::v6(bytes, 2), IpAddress::v6(bytes, 2));
  EXPECT_NE(IpAddress::v6(bytes, 2), IpAddress::v6(bytes, 3));
  EXPECT_EQ(IpAddress::v6(bytes, 3).scope_id(), 3u);
}

TEST(IpAddress, Ipv4AndIpv6OfEqualBytesDiffer) {
  EXPECT_NE(IpAddress::parse("0.0.0.0"), IpAddress::parse("::"));
  EXPECT_NE(IpAddress::parse("32.1.13.184"), IpAddress::parse("2001:db8::"));
}

TEST(SocketAddress, IsParsedAndPrinted) {
  for (const char* text : {"192.0.2.1:5004", "0.0.0.0:0", "[2001:db8::1]:65535", "[::]:7000"}) {
    const auto address = SocketAddress::parse(text);
    ASSERT_TRUE(address.has_value()) << text;
    EXPECT_EQ(address->to_string(), text);
  }
  EXPECT_EQ(SocketAddress::parse("[::ffff:192.0.2.1]:80")->to_string(), "192.0.2.1:80");
  EXPECT_EQ(SocketAddress::parse("[::1]:5004")->port, 5004);
}

TEST(SocketAddress, RefusesRubbish) {
  for (const std::string_view text : {""sv,
                                      ":"sv,
                                      "192.0.2.1"sv,
                                      "192.0.2.1:"sv,
                                      ":5004"sv,
                                      "192.0.2.1:65536"sv,
                                      "192.0.2.1:-1"sv,
                                      "192.0.2.1:+1"sv,
                                      "192.0.2.1: 1"sv,
                                      "192.0.2.1:1 "sv,
                                      "192.0.2.1:x"sv,
                                      "192.0.2.1:80:81"sv,
                                      "[192.0.2.1]:80"sv,
                                      "::1:80"sv,
                                      "2001:db8::1:80"sv,
                                      "[::1]"sv,
                                      "[::1]:"sv,
                                      "[::1:80"sv,
                                      "::1]:80"sv,
                                      "[]:80"sv,
                                      "[[::1]]:80"sv,
                                      "[::1] :80"sv,
                                      "localhost:80"sv,
                                      "192.0.2.1:80\0"sv}) {
    EXPECT_FALSE(SocketAddress::parse(text).has_value()) << text;
  }
}

TEST(SocketAddress, HashesEqualAddressesEqually) {
  const SocketAddressHash hash;
  EXPECT_EQ(hash(*SocketAddress::parse("192.0.2.1:80")),
            hash(*SocketAddress::parse("[::ffff:192.0.2.1]:80")));
  std::set<std::size_t> hashes;
  for (int host = 0; host < 100; ++host) {
    for (int port = 0; port < 100; ++port) {
      const std::string text = "10.0.0." + std::to_string(host) + ":" + std::to_string(port);
      hashes.insert(hash(*SocketAddress::parse(text)));
    }
  }
  EXPECT_EQ(hashes.size(), 10'000u) << "neighbouring addresses must spread";
}

std::string network(std::string_view text) {
  const auto parsed = IpNetwork::parse(text);
  return parsed ? parsed->to_string() : "refused";
}

TEST(IpNetwork, IsParsedAndPrinted) {
  EXPECT_EQ(network("192.0.2.0/24"), "192.0.2.0/24");
  EXPECT_EQ(network("2001:db8::/32"), "2001:db8::/32");
  EXPECT_EQ(network("0.0.0.0/0"), "0.0.0.0/0");
  EXPECT_EQ(network("::/0"), "::/0");
  EXPECT_EQ(network("192.0.2.1"), "192.0.2.1/32");
  EXPECT_EQ(network("2001:db8::1"), "2001:db8::1/128");
}

TEST(IpNetwork, RefusesRubbish) {
  for (const char* text :
       {"", "/", "/24", "192.0.2.0/", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2.0/x",
        "192.0.2.0/24/8", "192.0.2.0/ 24", "192.0.2.0 /24", "192.0.2/24", "2001:db8::/129",
        "[2001:db8::]/32", "net/8", "192.0.2.0/255.255.255.0"}) {
    EXPECT_EQ(network(text), "refused") << text;
  }
}

TEST(IpNetwork, InMappedFormIsANetworkOfIpv4) {
  EXPECT_EQ(network("::ffff:192.0.2.0/120"), "192.0.2.0/24");
  EXPECT_EQ(network("::ffff:0:0/96"), "0.0.0.0/0");
  EXPECT_EQ(network("::ffff:192.0.2.1/128"), "192.0.2.1/32");
  EXPECT_EQ(network("::ffff:192.0.2.0/24"), "refused") << "most of the mapping would be host bits";
  EXPECT_EQ(network("::ffff:0:0/95"), "refused");
}

/// The IPv4 or IPv6 address whose bits from `first` on are set.
IpAddress ones_from(unsigned first, unsigned width) {
  std::array<std::uint8_t, 16> bytes{};
  for (unsigned i = first; i < width; ++i) bytes[i / 8] |= static_cast<std::uint8_t>(0x80 >> i % 8);
  return width == 32 ? IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]})
                     : IpAddress::v6(bytes);
}

/// All ones before `length`, all zeros behind it.
IpAddress prefix_of(unsigned length, unsigned width) {
  std::array<std::uint8_t, 16> bytes{};
  for (unsigned i = 0; i < length; ++i) bytes[i / 8] |= static_cast<std::uint8_t>(0x80 >> i % 8);
  return width == 32 ? IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]})
                     : IpAddress::v6(bytes);
}

TEST(IpNetwork, EveryPrefixLengthHoldsItsFirstAndLastAddressAndNoNeighbour) {
  for (const unsigned width : {32u, 128u}) {
    const IpAddress highest = ones_from(0, width);
    for (unsigned length = 0; length <= width; ++length) {
      SCOPED_TRACE(testing::Message() << length << " of " << width);
      const std::string suffix = "/" + std::to_string(length);
      const auto net = IpNetwork::parse(prefix_of(length, width).to_string() + suffix);
      ASSERT_TRUE(net.has_value());
      EXPECT_EQ(net->prefix_length, length);
      EXPECT_TRUE(net->contains(net->address));
      EXPECT_TRUE(net->contains(highest));
      if (length == 0) continue;
      // The last bit of the prefix decides.
      EXPECT_FALSE(net->contains(prefix_of(length - 1, width)));
      EXPECT_FALSE(net->contains(ones_from(1, width)));
    }
  }
}

TEST(IpNetwork, EveryPrefixLengthRefusesHostBits) {
  for (const unsigned width : {32u, 128u}) {
    for (unsigned length = 0; length < width; ++length) {
      const std::string suffix = "/" + std::to_string(length);
      EXPECT_EQ(network(prefix_of(length + 1, width).to_string() + suffix), "refused") << suffix;
      const IpAddress last_bit = ones_from(width - 1, width);
      EXPECT_EQ(network(last_bit.to_string() + suffix), "refused") << suffix;
    }
  }
}

TEST(IpNetwork, OfOneFamilyHoldsNoAddressOfTheOther) {
  const auto all_v4 = IpNetwork::parse("0.0.0.0/0");
  const auto all_v6 = IpNetwork::parse("::/0");
  EXPECT_TRUE(all_v4->contains(*IpAddress::parse("::ffff:192.0.2.1")));
  EXPECT_FALSE(all_v4->contains(*IpAddress::parse("2001:db8::1")));
  EXPECT_FALSE(all_v6->contains(*IpAddress::parse("192.0.2.1")));
}

}  // namespace
}  // namespace runnel
