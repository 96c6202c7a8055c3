// A bounded table that forgets who was silent longest.
#include "core/auth/limit_table.h"

#include <gtest/gtest.h>

namespace runnel::auth {
namespace {

LimitKey token(std::uint64_t number) {
  return LimitKey::of_token(number);
}

IpAddress address(const char* text) {
  return IpAddress::parse(text).value();
}

TEST(LimitTable, HoldsNAndReplacesTheOneUnusedLongestForTheNext) {
  LimitTable<int> table(3, 1);
  for (int i = 0; i < 3; ++i) table.find_or_create(token(static_cast<std::uint64_t>(i))) = i;
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(table.find(token(static_cast<std::uint64_t>(i))), nullptr);
    EXPECT_EQ(*table.find(token(static_cast<std::uint64_t>(i))), i);
  }
  ASSERT_NE(table.find(token(0)), nullptr);  // now 1 is the oldest
  EXPECT_EQ(table.find_or_create(token(3)), 0);
  EXPECT_EQ(table.find(token(1)), nullptr);
  EXPECT_NE(table.find(token(0)), nullptr);
  EXPECT_NE(table.find(token(2)), nullptr);
}

TEST(LimitTable, WhatIsErasedMakesRoomFirst) {
  LimitTable<int> table(2, 1);
  table.find_or_create(token(1)) = 1;
  table.find_or_create(token(2)) = 2;
  table.erase(token(2));
  table.erase(token(9));
  EXPECT_EQ(table.find(token(2)), nullptr);
  EXPECT_EQ(table.find_or_create(token(3)), 0);
  EXPECT_NE(table.find(token(1)), nullptr);
}

TEST(LimitTable, OfOneEntryWorks) {
  LimitTable<int> table(1, 1);
  for (std::uint64_t i = 0; i < 10; ++i) {
    table.find_or_create(token(i)) = 1;
    EXPECT_NE(table.find(token(i)), nullptr);
    EXPECT_EQ(table.find(token(i + 1)), nullptr);
    if (i == 0) continue;
    EXPECT_EQ(table.find(token(i - 1)), nullptr);
  }
  table.erase(token(9));
  EXPECT_EQ(table.find(token(9)), nullptr);
}

TEST(LimitTable, KeepsItsEntriesUnderManyChanges) {
  constexpr std::uint64_t kCapacity = 100;
  LimitTable<std::uint64_t> table(kCapacity, 0x1234'5678);
  std::uint64_t state = 1;
  for (int step = 0; step < 20'000; ++step) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const std::uint64_t number = (state >> 33) % kCapacity;  // as many as there is room for
    if (state >> 63 != 0) {
      table.erase(token(number));
      EXPECT_EQ(table.find(token(number)), nullptr);
    } else {
      table.find_or_create(token(number)) = number;
    }
    const std::uint64_t other = (state >> 20) % kCapacity;
    const auto* value = table.find(token(other));
    EXPECT_EQ(value == nullptr ? other : *value, other);
  }
}

TEST(LimitKey, CountsIpv6ByItsNetwork) {
  const LimitKey host = LimitKey::of_address(address("2001:db8:1:2::1"));
  EXPECT_EQ(host, LimitKey::of_address(address("2001:db8:1:2:ffff:ffff:ffff:ffff")));
  EXPECT_NE(host, LimitKey::of_address(address("2001:db8:1:3::1")));
  EXPECT_NE(LimitKey::of_address(address("192.0.2.1")), LimitKey::of_address(address("192.0.2.2")));
  EXPECT_EQ(LimitKey::of_address(address("::ffff:192.0.2.1")),
            LimitKey::of_address(address("192.0.2.1")));
}

TEST(LimitKey, KindsDoNotMix) {
  const LimitKey ipv4 = LimitKey::of_address(address("0.0.0.5"));
  const LimitKey ipv6 = LimitKey::of_address(address("0:0:0:5::"));
  EXPECT_EQ(ipv4.value, ipv6.value);
  EXPECT_NE(ipv4, ipv6);
  EXPECT_NE(ipv4, token(5));
  EXPECT_NE(hash(ipv4, 1), hash(ipv6, 1));
  EXPECT_NE(hash(ipv4, 1), hash(ipv4, 2));
}

}  // namespace
}  // namespace runnel::auth
