#include "core/transport/datagram_store.h"

#include <gtest/gtest.h>

#include "tests/unit/core/transport/tables.h"

namespace runnel::transport::test {
namespace {

std::vector<int> values_of(DatagramStore& store, const DatagramList& list) {
  std::vector<int> values;
  store.for_each(list, [&](const Path& from, ByteSpan datagram) {
    EXPECT_EQ(from, path(datagram[0]));
    values.push_back(datagram[0]);
  });
  return values;
}

void append(DatagramStore& store, DatagramList& list, std::uint8_t value) {
  ASSERT_TRUE(store.append(list, path(value), bytes(value)));
}

TEST(DatagramStore, gives_back_in_the_order_of_coming) {
  DatagramStore store(4);
  DatagramList one;
  DatagramList other;
  append(store, one, 1);
  append(store, other, 2);
  append(store, one, 3);
  EXPECT_EQ(values_of(store, one), (std::vector{1, 3}));
  EXPECT_EQ(values_of(store, other), (std::vector{2}));
  store.pop_front(one);
  EXPECT_EQ(store.front_path(one), path(3));
  EXPECT_EQ(store.front_bytes(one)[0], 3);
  EXPECT_EQ(store.size(), 2u);
}

TEST(DatagramStore, has_as_many_places_as_it_was_made_with) {
  DatagramStore store(3);
  DatagramList list;
  for (std::uint8_t i = 0; i < 3; ++i) append(store, list, i);
  EXPECT_FALSE(store.append(list, path(9), bytes(9)));
  store.pop_front(list);
  append(store, list, 4);
  EXPECT_EQ(values_of(store, list), (std::vector{1, 2, 4}));
  store.clear(list);
  EXPECT_EQ(store.size(), 0u);
}

TEST(DatagramStore, refuses_what_is_longer_than_a_place) {
  DatagramStore store(1);
  DatagramList list;
  EXPECT_FALSE(store.append(list, path(1), bytes(1, kPacketCapacity + 1)));
  EXPECT_TRUE(store.append(list, path(1), bytes(1, kPacketCapacity)));
}

TEST(DatagramStore, moves_lists_and_their_fronts_behind_others) {
  DatagramStore store(5);
  DatagramList one;
  DatagramList other;
  for (std::uint8_t i = 1; i < 4; ++i) append(store, one, i);
  store.move_front(one, other);
  EXPECT_EQ(values_of(store, other), (std::vector{1}));
  store.move_all(one, other);
  EXPECT_TRUE(one.empty());
  EXPECT_EQ(values_of(store, other), (std::vector{1, 2, 3}));
  store.move_all(one, other);
  append(store, one, 5);
  store.move_all(one, other);
  EXPECT_EQ(values_of(store, other), (std::vector{1, 2, 3, 5}));
}

}  // namespace
}  // namespace runnel::transport::test
