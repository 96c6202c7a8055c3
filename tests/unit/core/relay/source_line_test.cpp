#include "core/relay/source_line.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/base/serial_number.h"

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

const Timestamp kStart{1h};

TEST(SourceLine, keeps_gaps_and_reordering) {
  SourceLine line(90000);
  const std::uint64_t first = line.begin(kStart, 65534, {0}).position;
  EXPECT_EQ(line.place(kStart, 1, {0})->position, first + 3);
  EXPECT_EQ(line.place(kStart, 65535, {0})->position, first + 1);
  EXPECT_EQ(line.place(kStart, 65533, {0})->position, first - 1) << "reordered before the first";
}

TEST(SourceLine, refuses_what_it_has_had) {
  SourceLine line(90000);
  line.begin(kStart, 100, {0});
  EXPECT_TRUE(line.place(kStart, 102, {0}));
  EXPECT_EQ(line.place(kStart, 102, {0}).error(), DropReason::replayed);
  EXPECT_EQ(line.place(kStart, 100, {0}).error(), DropReason::replayed);
  EXPECT_TRUE(line.place(kStart, 101, {0}));
}

TEST(SourceLine, accepts_what_is_1023_behind_and_refuses_what_is_1024_behind) {
  SourceLine line(90000);
  line.begin(kStart, 100, {0});
  EXPECT_TRUE(line.place(kStart, 5000, {0}));
  EXPECT_TRUE(line.place(kStart, 5000 - 1023, {0}));
  EXPECT_EQ(line.place(kStart, 5000 - 1024, {0}).error(), DropReason::too_old);
}

TEST(SourceLine, refuses_half_a_circle_behind_the_first) {
  SourceLine line(90000);
  line.begin(kStart, 40000, {0});
  EXPECT_EQ(line.place(kStart, 40000 - 32768, {0}).error(), DropReason::too_old);
}

TEST(SourceLine, another_ssrc_goes_on_behind_the_last_and_later_by_the_time_that_has_passed) {
  SourceLine line(90000);
  line.begin(kStart, 100, {1000});
  const auto last = *line.place(kStart + 1s, 101, {91000});
  const auto next = line.begin(kStart + 3s, 7, {0xffffff00});
  EXPECT_EQ(next.position, last.position + 1);
  EXPECT_EQ(next.timestamp.value, last.timestamp.value + 2 * 90000);
  EXPECT_EQ(line.translate({0xffffff10}).value, next.timestamp.value + 0x10);
}

TEST(SourceLine, another_ssrc_at_once_is_one_tick_later) {
  SourceLine line(8000);
  const auto last = line.begin(kStart, 100, {1000});
  EXPECT_EQ(line.begin(kStart, 9, {5}).timestamp.value, last.timestamp.value + 1);
}

TEST(SourceLine,
     another_ssrc_is_later_than_the_newest_picture_when_pictures_are_sent_out_of_order) {
  SourceLine line(90000);
  line.begin(kStart, 100, {9000});
  EXPECT_TRUE(line.place(kStart, 101, {6000}));
  EXPECT_EQ(line.begin(kStart, 1, {0}).timestamp.value, 9001U);
}

TEST(SourceLine, what_is_older_than_the_first_of_another_ssrc_has_no_place) {
  SourceLine line(90000);
  line.begin(kStart, 100, {0});
  const auto next = line.begin(kStart, 500, {0});
  EXPECT_EQ(line.place(kStart, 499, {0}).error(), DropReason::superseded_source);
  EXPECT_EQ(line.place(kStart, 501, {0})->position, next.position + 1);
}

TEST(SourceLine, two_old_ones_in_a_row_are_a_new_beginning_and_one_is_not) {
  SourceLine line(90000);
  EXPECT_FALSE(line.begins_anew(7));
  EXPECT_FALSE(line.begins_anew(9));
  EXPECT_TRUE(line.begins_anew(10));
  line.begin(kStart, 10, {0});
  EXPECT_FALSE(line.begins_anew(11)) << "a new count after each beginning";
}

TEST(SourceLine, never_gives_a_position_twice_nor_lets_time_run_back_whatever_the_source_does) {
  std::mt19937 generator(5);
  const auto draw = [&generator] { return static_cast<std::uint32_t>(generator()); };
  for (int run = 0; run < 50; ++run) {
    SourceLine line(90000);
    std::set<std::uint64_t> positions;
    Timestamp now = kStart;
    std::uint16_t sequence_number = static_cast<std::uint16_t>(draw());
    std::uint32_t timestamp = draw();
    auto newest = line.begin(now, sequence_number, {timestamp});
    positions.insert(newest.position);
    for (int i = 0; i < 5000; ++i) {
      now += Duration(draw() % 20'000'000);
      if (draw() % 200 == 0) {
        sequence_number = static_cast<std::uint16_t>(draw());
        timestamp = draw();
        const auto next = line.begin(now, sequence_number, {timestamp});
        ASSERT_EQ(next.position, newest.position + 1);
        ASSERT_TRUE(serial_after(next.timestamp.value, newest.timestamp.value));
        ASSERT_TRUE(positions.insert(next.position).second);
        newest = next;
        continue;
      }
      timestamp += draw() % 3000;
      const auto jitter = static_cast<std::uint16_t>(draw() % 40);
      sequence_number = static_cast<std::uint16_t>(sequence_number + draw() % 4);
      const auto place =
          line.place(now, static_cast<std::uint16_t>(sequence_number - jitter), {timestamp});
      if (!place) continue;
      ASSERT_TRUE(positions.insert(place->position).second);
      if (place->position > newest.position) newest = {place->position, {timestamp}};
      newest.timestamp = line.translate({timestamp});
    }
  }
}

}  // namespace
}  // namespace runnel::relay
