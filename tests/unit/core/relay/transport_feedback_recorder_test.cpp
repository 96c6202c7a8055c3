#include "core/relay/transport_feedback_recorder.h"

#include <array>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/rtp/transport_feedback.h"

namespace runnel::relay {
namespace {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

constexpr Timestamp kStart = Timestamp(std::chrono::seconds(1000));

struct Told {
  std::uint16_t base = 0;
  std::uint8_t feedback_number = 0;
  std::vector<std::optional<Duration>> arrivals;  // nullopt: not received
};

Told read(ByteView packet) {
  EXPECT_TRUE(rtp::check_rtcp(packet).has_value());
  auto reader = rtp::TransportFeedbackReader::parse(*rtp::RtcpReader(packet).next());
  EXPECT_TRUE(reader.has_value());
  EXPECT_EQ(reader->sender_ssrc(), 1u);
  EXPECT_EQ(reader->media_ssrc(), 2u);
  Told told{reader->base_number(), reader->feedback_number(), {}};
  while (const auto status = reader->next()) {
    told.arrivals.push_back(status->received ? status->arrival : std::nullopt);
  }
  return told;
}

std::optional<Told> tell(TransportFeedbackRecorder& recorder, std::size_t room = 1200) {
  Bytes out(room);
  const std::size_t size = recorder.write(1, 2, out);
  if (size == 0) return std::nullopt;
  return read(ByteView(out).first(size));
}

/// 1 for a number that was received, 0 for one that was not.
std::vector<int> received(const Told& told) {
  std::vector<int> flags;
  for (const auto& arrival : told.arrivals) flags.push_back(arrival ? 1 : 0);
  return flags;
}

TEST(TransportFeedbackRecorder, has_nothing_to_tell_before_the_first_packet_and_after_each_report) {
  TransportFeedbackRecorder recorder;
  EXPECT_FALSE(recorder.deadline());
  EXPECT_FALSE(tell(recorder));
  recorder.arrived(7, kStart);
  EXPECT_EQ(recorder.deadline(), kStart + milliseconds(50));
  recorder.arrived(8, kStart + milliseconds(10));
  EXPECT_EQ(recorder.deadline(), kStart + milliseconds(50));
  EXPECT_EQ(received(*tell(recorder)), (std::vector{1, 1}));
  EXPECT_FALSE(recorder.deadline());
  EXPECT_FALSE(tell(recorder));
}

TEST(TransportFeedbackRecorder, goes_on_where_it_stopped_through_gaps_and_the_wrap) {
  TransportFeedbackRecorder recorder;
  recorder.arrived(65533, kStart);
  EXPECT_EQ(tell(recorder)->base, 65533);
  recorder.arrived(65535, kStart + milliseconds(3));
  recorder.arrived(1, kStart + milliseconds(5));
  const auto told = tell(recorder);
  EXPECT_EQ(told->base, 65534);
  EXPECT_EQ(told->feedback_number, 1);
  EXPECT_EQ(received(*told), (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(*told->arrivals[3] - *told->arrivals[1], milliseconds(2));
}

TEST(TransportFeedbackRecorder, tells_the_late_again_with_all_that_follows) {
  TransportFeedbackRecorder recorder;
  for (const std::uint16_t number : std::array<std::uint16_t, 3>{10, 12, 13})
    recorder.arrived(number, kStart);
  tell(recorder);
  recorder.arrived(11, kStart + milliseconds(60));
  EXPECT_EQ(recorder.deadline(), kStart + milliseconds(110));
  const auto told = tell(recorder);
  EXPECT_EQ(told->base, 11);
  EXPECT_EQ(received(*told), (std::vector{1, 1, 1}));
  EXPECT_EQ(*told->arrivals[0] - *told->arrivals[1], milliseconds(60));
  recorder.arrived(9, kStart + milliseconds(61));
  EXPECT_EQ(tell(recorder)->base, 9) << "reordered before the first";
}

TEST(TransportFeedbackRecorder, does_not_tell_the_late_again_too_far_behind) {
  const auto told_after = [](std::uint16_t count) {
    TransportFeedbackRecorder recorder;
    recorder.arrived(0, kStart);
    for (std::uint16_t i = 2; i <= count; ++i) recorder.arrived(i, kStart);
    tell(recorder);
    recorder.arrived(1, kStart);
    return recorder.deadline().has_value();
  };
  EXPECT_TRUE(told_after(TransportFeedbackRecorder::kMaxRepeated));
  EXPECT_FALSE(told_after(TransportFeedbackRecorder::kMaxRepeated + 1));
}

TEST(TransportFeedbackRecorder, keeps_the_first_time_of_a_duplicate) {
  TransportFeedbackRecorder recorder;
  recorder.arrived(10, kStart);
  recorder.arrived(11, kStart);
  recorder.arrived(10, kStart + milliseconds(40));
  auto told = tell(recorder);
  EXPECT_EQ(told->arrivals[0], told->arrivals[1]);
  recorder.arrived(10, kStart + milliseconds(70));
  EXPECT_FALSE(recorder.deadline());
}

TEST(TransportFeedbackRecorder, is_due_at_once_when_half_of_its_room_is_taken) {
  TransportFeedbackRecorder recorder;
  constexpr auto kHalf = static_cast<std::uint16_t>(TransportFeedbackRecorder::kCapacity / 2);
  for (std::uint16_t i = 0; i < kHalf - 1; ++i) recorder.arrived(i, kStart);
  EXPECT_EQ(recorder.deadline(), kStart + milliseconds(50));
  recorder.arrived(kHalf - 1, kStart + milliseconds(1));
  EXPECT_EQ(recorder.deadline(), kStart + milliseconds(1));
}

TEST(TransportFeedbackRecorder, tells_as_many_of_a_larger_gap_as_it_has_room_for) {
  constexpr auto kCapacity = static_cast<std::uint16_t>(TransportFeedbackRecorder::kCapacity);
  TransportFeedbackRecorder recorder;
  recorder.arrived(10, kStart);
  recorder.arrived(10 + kCapacity - 1, kStart);
  auto told = tell(recorder);
  EXPECT_EQ(told->base, 10);
  EXPECT_EQ(told->arrivals.size(), kCapacity);
  recorder.arrived(20'000, kStart + milliseconds(1));
  told = tell(recorder);
  EXPECT_EQ(told->base, 20'000 - kCapacity + 1);
  EXPECT_EQ(told->arrivals.size(), kCapacity);
  EXPECT_FALSE(told->arrivals.front());
  EXPECT_TRUE(told->arrivals.back());
}

TEST(TransportFeedbackRecorder, begins_anew_with_two_in_a_row_that_lie_far_behind) {
  TransportFeedbackRecorder recorder;
  recorder.arrived(30'000, kStart);
  tell(recorder);
  recorder.arrived(500, kStart);
  EXPECT_FALSE(recorder.deadline());
  recorder.arrived(30'001, kStart);
  recorder.arrived(501, kStart);
  EXPECT_EQ(tell(recorder)->base, 30'001);
  recorder.arrived(502, kStart);
  EXPECT_EQ(tell(recorder)->base, 502);
  recorder.arrived(503, kStart);
  EXPECT_EQ(tell(recorder)->base, 503);
}

TEST(TransportFeedbackRecorder, needs_several_packets_for_what_does_not_fit_into_one) {
  TransportFeedbackRecorder recorder;
  for (std::uint16_t i = 0; i < 100; ++i) recorder.arrived(i, kStart + milliseconds(i % 2 * 100));
  EXPECT_FALSE(tell(recorder, rtp::TransportFeedbackWriter::kMinSize - 1));
  std::vector<int> flags;
  std::size_t packets = 0;
  while (const auto told = tell(recorder, 64)) {
    EXPECT_EQ(told->base, flags.size());
    EXPECT_EQ(told->feedback_number, packets++);
    const auto more = received(*told);
    flags.insert(flags.end(), more.begin(), more.end());
  }
  EXPECT_EQ(flags, std::vector<int>(100, 1));
  EXPECT_GT(packets, 4u);
  EXPECT_EQ(recorder.feedback_count(), packets);
}

TEST(TransportFeedbackRecorder, goes_on_in_another_packet_after_a_silence_too_long_for_a_delta) {
  TransportFeedbackRecorder recorder;
  recorder.arrived(1, kStart);
  recorder.arrived(2, kStart + std::chrono::seconds(9));
  EXPECT_EQ(received(*tell(recorder)), (std::vector{1}));
  const auto told = tell(recorder);
  EXPECT_EQ(told->base, 2);
  EXPECT_EQ(received(*told), (std::vector{1}));
}

/// What a sender knows after all feedback is what arrived, and when.
TEST(TransportFeedbackRecorder, tells_everything_that_arrives_at_its_right_time) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    TransportFeedbackRecorder recorder;
    std::map<std::uint64_t, Timestamp> arrived;
    std::map<std::uint64_t, Duration> known;
    std::uint64_t next = 64'000, told_end = next;
    Timestamp now = kStart;
    const auto hear = [&] {
      while (recorder.deadline() && *recorder.deadline() <= now) {
        const auto told = tell(recorder, 200);
        ASSERT_TRUE(told);
        std::uint64_t position = next - static_cast<std::uint16_t>(next - told->base);
        ASSERT_LE(position, told_end) << "no number is passed over";
        for (const auto& arrival : told->arrivals) {
          if (arrival) {
            const auto [at, is_new] = known.emplace(position, *arrival);
            ASSERT_EQ(at->second, *arrival) << "told twice, the same";
          }
          ++position;
        }
        told_end = std::max(told_end, position);
      }
    };
    for (int step = 0; step < 20'000; ++step) {
      now += std::chrono::microseconds(random() % 2000);
      next += random() % 10 == 0 ? random() % 5 : 1;
      std::uint64_t position = next - (random() % 5 == 0 ? random() % 8 : 0);
      if (arrived.empty()) position = told_end = next;
      recorder.arrived(static_cast<std::uint16_t>(position), now);
      arrived.emplace(position, now);
      hear();
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    now += milliseconds(100);
    hear();
    ASSERT_EQ(known.size(), arrived.size());
    // The reference time is modulo 2^24 times 64 ms, which the test does not reach.
    for (const auto& [position, when] : arrived) {
      ASSERT_LT(when.time_since_epoch() - known.at(position), std::chrono::microseconds(250));
      ASSERT_GE(when.time_since_epoch(), known.at(position));
    }
  }
}

}  // namespace
}  // namespace runnel::relay
