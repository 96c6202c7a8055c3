// The queues of the Transports: turns, events, early media, what is to be sent.
#include <gtest/gtest.h>

#include "core/transport/early_media.h"
#include "core/transport/event_queue.h"
#include "core/transport/outgoing_queue.h"
#include "core/transport/ready_queue.h"
#include "tests/unit/core/transport/tables.h"

namespace runnel::transport::test {
namespace {

Peer peer(std::uint32_t id) {
  return Peer(PeerId{id}, {.ufrag = "abcd", .password = "0123456789012345678901"}, {});
}

TEST(ReadyQueue, holds_each_peer_once_in_the_order_of_coming) {
  Peer first = peer(1);
  Peer second = peer(2);
  ReadyQueue queue;
  queue.push(first);
  queue.push(second);
  queue.push(first);
  EXPECT_EQ(&queue.pop(), &first);
  queue.push(first);
  EXPECT_EQ(&queue.pop(), &second);
  EXPECT_EQ(&queue.pop(), &first);
  EXPECT_TRUE(queue.empty());
}

TEST(ReadyQueue, lets_anybody_leave) {
  Peer first = peer(1);
  Peer second = peer(2);
  Peer third = peer(3);
  ReadyQueue queue;
  for (Peer* one : {&first, &second, &third}) queue.push(*one);
  queue.remove(second);
  queue.remove(second);
  queue.remove(third);
  queue.push(second);
  EXPECT_EQ(&queue.pop(), &first);
  EXPECT_EQ(&queue.pop(), &second);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, loses_what_is_too_much_but_never_an_end) {
  EventQueue queue(2, 3);
  EXPECT_TRUE(queue.push(PeerStalled{.peer = PeerId{1}}));
  EXPECT_TRUE(queue.push(PeerResumed{.peer = PeerId{1}}));
  EXPECT_FALSE(queue.push(PeerStalled{.peer = PeerId{1}}));
  EXPECT_TRUE(queue.push(PeerEnded{.peer = PeerId{1}}));
  std::vector<Event> events;
  queue.take(events);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<PeerStalled>(events[0]));
  EXPECT_TRUE(std::holds_alternative<PeerResumed>(events[1]));
  EXPECT_TRUE(std::holds_alternative<PeerEnded>(events[2]));
  EXPECT_TRUE(queue.push(PeerStalled{.peer = PeerId{1}}));
}

TEST(EventQueue, says_nothing_of_peers_that_are_gone) {
  EventQueue queue(4, 2);
  EXPECT_TRUE(queue.push(PeerStalled{.peer = PeerId{1}}));
  EXPECT_TRUE(queue.push(PeerStalled{.peer = PeerId{2}}));
  EXPECT_TRUE(queue.push(PeerEnded{.peer = PeerId{1}}));
  queue.forget(PeerId{1});
  std::vector<Event> events;
  queue.take(events);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(std::get<PeerStalled>(events[0]).peer, PeerId{2});
}

TEST(EarlyMedia, is_bounded_for_each_and_for_all) {
  EarlyMedia early(3, 2);
  DatagramList one;
  DatagramList other;
  EXPECT_TRUE(early.hold(one, path(1), bytes(1)));
  EXPECT_TRUE(early.hold(one, path(1), bytes(2)));
  EXPECT_FALSE(early.hold(one, path(1), bytes(3)));
  EXPECT_TRUE(early.hold(other, path(2), bytes(4)));
  EXPECT_FALSE(early.hold(other, path(2), bytes(5)));
  early.discard(one);
  EXPECT_TRUE(early.hold(other, path(2), bytes(6)));
}

TEST(EarlyMedia, stays_readable_until_the_call_after_the_next) {
  EarlyMedia early(2, 2);
  DatagramList one;
  EXPECT_TRUE(early.hold(one, path(1), bytes(1)));
  EXPECT_TRUE(early.take().empty());
  early.release(one);
  const auto taken = early.take();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_TRUE(early.take().empty());
  EXPECT_TRUE(early.hold(one, path(1), bytes(2)));
  EXPECT_FALSE(early.hold(one, path(1), bytes(3)));  // the first one's place is still lent
  EXPECT_EQ(taken[0].bytes[0], 1);
  EXPECT_EQ(taken[0].path, path(1));
  EXPECT_TRUE(early.take().empty());
  EXPECT_EQ(early.size(), 1u);
}

TEST(OutgoingQueue, sends_in_order_and_loses_what_has_no_room) {
  OutgoingQueue queue(2);
  for (std::uint8_t i = 1; i <= 3; ++i) queue.push(path(i), bytes(i));
  EXPECT_TRUE(queue.is_full());
  EXPECT_EQ(queue.lost(), 1u);
  const auto first = queue.next();
  ASSERT_TRUE(first);
  queue.push(path(4), bytes(4));
  EXPECT_EQ(first->path, path(1));
  EXPECT_EQ(first->bytes[0], 1);
  EXPECT_EQ(queue.next()->bytes[0], 2);
  EXPECT_EQ(queue.next()->bytes[0], 4);
  EXPECT_EQ(queue.next(), std::nullopt);
  EXPECT_EQ(queue.lost(), 1u);
}

}  // namespace
}  // namespace runnel::transport::test
