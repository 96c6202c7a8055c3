// The small tables: ports, paths, SSRCs, the burst, the control queue, events.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/relay/burst.h"
#include "core/relay/control_queue.h"
#include "core/relay/event_queue.h"
#include "core/relay/path_table.h"
#include "core/relay/port_table.h"
#include "core/relay/retransmission_queue.h"
#include "core/relay/sequence_window.h"
#include "core/relay/ssrc_registry.h"
#include "core/relay/ssrc_routes.h"
#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

SocketAddress address(std::uint16_t port) {
  return {IpAddress::v4({192, 0, 2, 1}), port};
}

TEST(PortTable, knows_what_it_was_told_and_nothing_else) {
  PortTable table;
  EXPECT_EQ(table.at(PortIndex{0}).kind, PortUse::Kind::unused);
  table.set(PortIndex{7}, {PortUse::Kind::source, 3});
  EXPECT_EQ(table.at(PortIndex{7}).owner, 3U);
  EXPECT_EQ(table.at(PortIndex{6}).kind, PortUse::Kind::unused);
  EXPECT_EQ(table.at(PortIndex{65535}).kind, PortUse::Kind::unused);
}

TEST(PathTable, a_path_belongs_to_one_leg_until_its_last_user_leaves) {
  PathTable table;
  const Path path{PortIndex{1}, address(5000)};
  EXPECT_TRUE(table.add(path, 4));
  EXPECT_TRUE(table.add(path, 4));
  EXPECT_FALSE(table.add(path, 5));
  EXPECT_EQ(table.find(path), 4U);
  EXPECT_EQ(table.find({PortIndex{2}, address(5000)}), std::nullopt);
  table.remove(path);
  EXPECT_FALSE(table.add(path, 5));
  table.remove(path);
  EXPECT_EQ(table.find(path), std::nullopt);
  EXPECT_TRUE(table.add(path, 5));
}

TEST(SsrcRoutes, has_room_for_its_limit_and_an_ssrc_that_is_learnt_anew_takes_none) {
  SsrcRoutes routes(2);
  EXPECT_TRUE(routes.add({.ssrc = 1, .track = 5}));
  EXPECT_TRUE(routes.add({.ssrc = 2, .track = 5, .is_retransmission = true}));
  EXPECT_FALSE(routes.add({.ssrc = 3, .track = 6}));
  EXPECT_TRUE(routes.add({.ssrc = 1, .track = 6}));
  EXPECT_EQ(routes.find(1)->track, 6U);
  EXPECT_EQ(routes.find(3), std::nullopt);
}

TEST(SsrcRoutes, of_a_track_that_is_gone_lead_nowhere_until_room_is_needed) {
  SsrcRoutes routes(2);
  ASSERT_TRUE(routes.add({.ssrc = 1, .track = 5}));
  ASSERT_TRUE(routes.add({.ssrc = 2, .track = 6}));
  routes.close_track(5);
  ASSERT_TRUE(routes.find(1));
  EXPECT_EQ(routes.find(1)->track, SsrcRoute::kNowhere);
  routes.forget_closed();
  EXPECT_EQ(routes.find(1), std::nullopt);
  EXPECT_EQ(routes.find(2)->track, 6U);
}

TEST(RetransmissionQueue, is_first_in_first_out_with_a_bound) {
  RetransmissionQueue queue(2);
  EXPECT_TRUE(queue.add({1, 10}));
  EXPECT_TRUE(queue.add({2, 20}));
  EXPECT_FALSE(queue.add({3, 30}));
  EXPECT_EQ(queue.next()->sequence_number, 10);
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.next()->receiver, 2U);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next(), std::nullopt);
  EXPECT_TRUE(queue.add({4, 40}));
}

/// Always the same.
class StuckRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = 0xff;
  }
};

TEST(SsrcRegistry, never_gives_one_twice_even_when_the_random_source_is_stuck) {
  StuckRandom random;
  const std::uint32_t pinned = SsrcRegistry(random).draw();
  SsrcRegistry registry(random);
  registry.add_pinned(pinned);
  std::set<std::uint32_t> drawn;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(drawn.insert(registry.draw()).second);
  EXPECT_FALSE(drawn.contains(0));
  EXPECT_FALSE(drawn.contains(pinned));
  const std::uint32_t fresh = registry.redraw(*drawn.begin());
  EXPECT_FALSE(drawn.contains(fresh));
}

TEST(SsrcRegistry, knows_as_many_retired_ones_as_there_is_room_for) {
  SeededRandom random;
  SsrcRegistry registry(random);
  registry.reserve(1);
  const std::uint32_t first = registry.draw();
  std::uint32_t current = first;
  for (std::size_t i = 0; i < SsrcRegistry::kLeastRetired; ++i) {
    current = registry.redraw(current);
  }
  EXPECT_TRUE(registry.is_our_own(first));
  EXPECT_TRUE(registry.is_our_own(current));
  current = registry.redraw(current);
  EXPECT_FALSE(registry.is_our_own(first)) << "one more, and the oldest is forgotten";
  EXPECT_TRUE(registry.is_our_own(current));
}

TEST(SsrcRegistry, forgets_no_retired_one_when_it_gets_more_room) {
  SeededRandom random;
  SsrcRegistry registry(random);
  registry.reserve(1);
  std::vector<std::uint32_t> drawn{registry.draw()};
  for (std::size_t i = 0; i < SsrcRegistry::kLeastRetired + 10; ++i) {
    drawn.push_back(registry.redraw(drawn.back()));
  }
  registry.reserve(SsrcRegistry::kLeastRetired);
  for (int i = 0; i < 100; ++i) drawn.push_back(registry.redraw(drawn.back()));
  EXPECT_FALSE(registry.is_our_own(drawn[9]));
  for (std::size_t i = 10; i < drawn.size(); ++i) ASSERT_TRUE(registry.is_our_own(drawn[i])) << i;
}

TEST(SsrcRegistry, neither_draws_what_it_has_promised_nor_takes_it_for_its_own) {
  StuckRandom random;
  SsrcRegistry registry(random);
  registry.reserve(8);
  const std::uint32_t promised = registry.reserve_one();
  EXPECT_FALSE(registry.is_our_own(promised));
  EXPECT_NE(registry.draw(), promised);
  EXPECT_NE(registry.reserve_one(), promised);
  EXPECT_EQ(registry.size(), 3U);
  registry.release(promised);
  registry.release(promised);
  EXPECT_EQ(registry.size(), 2U);
}

TEST(SsrcRegistry, knows_one_that_is_no_longer_sent_as_its_own) {
  SeededRandom random;
  SsrcRegistry registry(random);
  registry.reserve(8);
  const std::uint32_t ssrc = registry.draw();
  registry.retire(ssrc);
  registry.retire(ssrc);
  EXPECT_EQ(registry.size(), 0U);
  EXPECT_TRUE(registry.is_our_own(ssrc));
}

TEST(SsrcRegistry, keeps_what_two_legs_have_pinned_until_both_have_gone) {
  StuckRandom random;
  const std::uint32_t pinned = SsrcRegistry(random).draw();
  SsrcRegistry still(random);
  SsrcRegistry no_longer(random);
  for (SsrcRegistry* registry : {&still, &no_longer}) {
    registry->add_pinned(pinned);
    registry->add_pinned(pinned);
    registry->remove_pinned(pinned);
  }
  EXPECT_NE(still.draw(), pinned);
  no_longer.remove_pinned(pinned);
  no_longer.remove_pinned(pinned);
  EXPECT_EQ(no_longer.size(), 0U);
  EXPECT_EQ(no_longer.draw(), pinned);
}

TEST(Burst, keeps_the_packets_of_each_track_in_order) {
  Burst burst;
  burst.resize_tracks(3);
  burst.reserve_packets(4);
  const auto packet = [](std::uint64_t position) {
    return ClearPacket{{}, 12, 0, {position, {0}}};
  };
  burst.add(2, packet(1));
  burst.add(0, packet(2));
  burst.add(2, packet(3));
  ASSERT_EQ(burst.tracks().size(), 2U);
  EXPECT_EQ(burst.tracks()[0], 2U);
  EXPECT_EQ(burst.count(2), 2U);
  const std::uint32_t first = burst.first(2);
  EXPECT_EQ(burst.packet(first).place.position, 1U);
  const std::uint32_t second = burst.next(first);
  EXPECT_EQ(burst.packet(second).place.position, 3U);
  EXPECT_EQ(burst.next(second), Burst::kEnd);
  burst.clear();
  EXPECT_TRUE(burst.tracks().empty());
  EXPECT_EQ(burst.count(2), 0U);
}

TEST(ControlQueue, holds_a_track_once_with_all_its_tasks) {
  ControlQueue queue;
  queue.resize(2);
  EXPECT_TRUE(queue.empty());
  queue.add(1, ControlTask::reception_report);
  queue.add(1, ControlTask::goodbyes);
  queue.add(1, ControlTask::goodbyes);
  EXPECT_EQ(queue.track(), 1U);
  EXPECT_TRUE(queue.tasks().has(ControlTask::reception_report));
  EXPECT_FALSE(queue.tasks().has(ControlTask::sender_reports));
  queue.done(ControlTask::reception_report);
  queue.done(ControlTask::goodbyes);
  EXPECT_TRUE(queue.tasks().empty());
  queue.pop();
  EXPECT_TRUE(queue.empty());
}

TEST(ControlQueue, forgets_a_track_that_is_gone) {
  ControlQueue queue;
  queue.resize(3);
  for (const std::uint32_t track : {0U, 1U, 2U}) queue.add(track, ControlTask::goodbyes);
  queue.forget(1);
  queue.forget(2);
  EXPECT_EQ(queue.track(), 0U);
  queue.done(ControlTask::goodbyes);
  queue.pop();
  EXPECT_TRUE(queue.empty());
  queue.add(2, ControlTask::sender_reports);
  EXPECT_FALSE(queue.tasks().has(ControlTask::goodbyes));
}

TEST(EventQueue, takes_as_many_as_it_holds_and_not_one_more) {
  EventQueue queue(2);
  EXPECT_TRUE(queue.push(TrackStalled{0, 1}));
  EXPECT_TRUE(queue.push(TrackStalled{0, 2}));
  EXPECT_FALSE(queue.push(TrackStalled{0, 3}));
  std::vector<Event> events;
  queue.take(events);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<TrackStalled>(events[1]).medium, 2U);
  EXPECT_TRUE(queue.push(TrackStalled{0, 4}));
}

TEST(SequenceWindow, forgets_what_a_jump_has_left_behind) {
  SequenceWindow window;
  window.restart(5000);
  window.take(5001);
  EXPECT_TRUE(window.is_taken(5000));
  EXPECT_FALSE(window.is_taken(4999));
  window.take(5001 + SequenceWindow::kSize - 1);
  EXPECT_TRUE(window.is_taken(5001));
  EXPECT_TRUE(window.is_behind(5000));
  EXPECT_FALSE(window.is_taken(5002));
  window.take(9000);
  EXPECT_FALSE(window.is_taken(8999));
  EXPECT_TRUE(window.is_behind(9000 - SequenceWindow::kSize));
}

}  // namespace
}  // namespace runnel::relay
