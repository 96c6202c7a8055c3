// One line that says how a stream is.
#include "daemon/statistics_log.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::Contains;

const SocketAddress kSomewhere{IpAddress::v4({198, 51, 100, 9}), 6000};

relay::RelayStatistics camera() {
  relay::RelayStatistics statistics;
  statistics.stream = "camera-1";
  statistics.from.resize(2);
  statistics.from[0].name = "video";
  statistics.from[1].name = "audio";
  return statistics;
}

relay::ReceiverStatistics receiver(std::uint64_t packets, std::uint64_t bytes) {
  relay::ReceiverStatistics statistics;
  statistics.media.resize(1);
  statistics.media[0].destination = kSomewhere;
  statistics.media[0].packets = packets;
  statistics.media[0].bytes = bytes;
  return statistics;
}

std::string sentence(const relay::RelayStatistics& now, const relay::RelayStatistics& before = {},
                     Duration elapsed = 10s) {
  return describe(now, before, elapsed).message;
}

TEST(StatisticsLine, SaysThatNothingHasComeYet) {
  EXPECT_EQ(sentence(camera()), "camera-1: video: nothing yet; audio: nothing yet; no receiver");
}

TEST(StatisticsLine, ShowsRatesOfTheIntervalAndTotals) {
  relay::RelayStatistics before = camera();
  before.from[0].packets = 1'000;
  before.from[0].bytes = 1'000'000;
  before.from[0].lost = 1;
  before.to = {receiver(1'000, 1'000'000), receiver(0, 0)};
  relay::RelayStatistics now = before;
  now.from[0].live = true;
  now.from[0].packets = 1'990;
  now.from[0].bytes = 4'000'000;
  now.from[0].lost = 11;
  now.from[0].jitter = 2'140us;
  now.from[1].packets = 5;
  now.to = {receiver(1'990, 4'000'000), receiver(990, 3'000'000)};
  EXPECT_EQ(sentence(now, before),
            "camera-1: video 2.40 Mbit/s (1990 packets, 1 % lost, jitter 2.1 ms); "
            "audio silent (5 packets, 0 % lost, jitter 0.0 ms); "
            "out 4.80 Mbit/s to 2 receivers (2980 packets)");
}

TEST(StatisticsLine, CountsReceiversThatHaveAnAddress) {
  relay::RelayStatistics now = camera();
  now.to = {receiver(1, 100), receiver(0, 0)};
  now.to[1].media[0].destination.reset();
  EXPECT_THAT(sentence(now), testing::EndsWith("; out 80 bit/s to 1 receiver (1 packet)"));
}

TEST(StatisticsLine, ShowsTheWorstLossThatReceiversReport) {
  relay::RelayStatistics now = camera();
  now.to = {receiver(1, 100), receiver(1, 100)};
  now.to[0].media[0].fraction_lost = 0.25;
  now.to[1].media[0].fraction_lost = 0.031;
  EXPECT_THAT(sentence(now), testing::EndsWith("(2 packets, up to 25 % lost)"));
}

TEST(StatisticsLine, NamesDropsOnlyWhenThereAreSome) {
  relay::RelayStatistics now = camera();
  now.to = {receiver(0, 0)};
  now.from[0].drops.add(DropReason::replayed, 3);
  now.from[1].drops.add(DropReason::replayed, 1);
  now.to[0].media[0].drops.add(DropReason::send_buffer_full, 2);
  const LogLine line = describe(now, {}, 10s);
  EXPECT_THAT(line.message, testing::EndsWith("; dropped 4 replayed, 2 send_buffer_full"));
  EXPECT_THAT(line.fields, Contains(LogField("dropped.replayed", 4u)));
  EXPECT_THAT(line.fields, Contains(LogField("dropped.send_buffer_full", 2u)));
}

TEST(StatisticsLine, SurvivesASourceThatCountsAfresh) {
  relay::RelayStatistics before = camera();
  before.from[0].lost = 500;
  before.from[0].packets = 100;
  relay::RelayStatistics now = before;
  now.from[0].lost = 0;
  now.from[0].packets = 200;
  EXPECT_THAT(sentence(now, before), testing::HasSubstr("200 packets, 0 % lost"));
}

TEST(StatisticsLine, UsesFittingUnits) {
  relay::RelayStatistics now = camera();
  now.from[0].live = true;
  now.from[0].packets = 1;
  now.from[0].bytes = 1'000;
  EXPECT_THAT(sentence(now), testing::HasSubstr("video 800 bit/s"));
  now.from[0].bytes = 80'125;
  EXPECT_THAT(sentence(now), testing::HasSubstr("video 64.1 kbit/s"));
  now.from[0].bytes = 1'250'000'000;
  EXPECT_THAT(sentence(now), testing::HasSubstr("video 1000.00 Mbit/s"));
}

TEST(StatisticsLine, GivesMachinesNumbers) {
  relay::RelayStatistics now = camera();
  now.from[0].live = true;
  now.from[0].packets = 10;
  now.from[0].bytes = 10'000;
  now.to = {receiver(10, 10'300)};
  const auto fields = describe(now, {}, 10s).fields;
  EXPECT_THAT(fields, Contains(LogField("event", "statistics")));
  EXPECT_THAT(fields, Contains(LogField("stream", "camera-1")));
  EXPECT_THAT(fields, Contains(LogField("interval_s", 10.0)));
  EXPECT_THAT(fields, Contains(LogField("video.live", true)));
  EXPECT_THAT(fields, Contains(LogField("video.packets", 10u)));
  EXPECT_THAT(fields, Contains(LogField("video.bits_per_second", 8'000u)));
  EXPECT_THAT(fields, Contains(LogField("receivers", 1u)));
  EXPECT_THAT(fields, Contains(LogField("out.bits_per_second", 8'240u)));
}

}  // namespace
}  // namespace runnel::daemon
