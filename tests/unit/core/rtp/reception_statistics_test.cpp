#include "core/rtp/reception_statistics.h"

#include <gtest/gtest.h>

namespace runnel::rtp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kSsrc = 0x12345678;
constexpr Timestamp kStart{std::chrono::hours(1)};

/// A source whose packets arrive exactly when their timestamps say.
class Reception {
 public:
  void packet(unsigned sequence_number) {
    statistics.on_packet(kStart, static_cast<std::uint16_t>(sequence_number), RtpTime{0});
  }
  void packets(unsigned first, unsigned last) {
    for (unsigned i = first; i <= last; ++i) packet(i);
  }
  ReportBlock report() { return statistics.report(kStart); }

  ReceptionStatistics statistics{kSsrc, 90000};
};

TEST(ReceptionStatistics, KnowsNothingBeforeTheFirstPacket) {
  Reception reception;
  EXPECT_EQ(reception.statistics.received(), 0u);
  EXPECT_EQ(reception.statistics.expected(), 0u);
  EXPECT_EQ(reception.statistics.lost(), 0);
  EXPECT_EQ(reception.statistics.jitter(), Duration::zero());
  const ReportBlock block = reception.report();
  EXPECT_EQ(block.ssrc, kSsrc);
  EXPECT_EQ(block.fraction_lost, 0);
  EXPECT_EQ(block.cumulative_lost, 0);
  EXPECT_EQ(block.extended_highest_sequence_number, 0u);
}

TEST(ReceptionStatistics, CountsFromTheFirstPacketOn) {
  Reception reception;
  reception.packet(1000);
  EXPECT_EQ(reception.statistics.received(), 1u);
  EXPECT_EQ(reception.statistics.expected(), 1u);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 1000u);
}

TEST(ReceptionStatistics, GoesOnThroughWraps) {
  Reception reception;
  reception.packets(65534, 3 * 65536 + 1);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 3u * 65536 + 1);
  EXPECT_EQ(reception.statistics.expected(), 2u * 65536 + 4);
  EXPECT_EQ(reception.statistics.lost(), 0);
}

TEST(ReceptionStatistics, LossAcrossAWrapIsCounted) {
  Reception reception;
  reception.packet(65530);
  reception.packet(5);
  EXPECT_EQ(reception.statistics.expected(), 12u);
  EXPECT_EQ(reception.statistics.lost(), 10);
}

TEST(ReceptionStatistics, AReorderedPacketIsNoLoss) {
  Reception reception;
  for (const unsigned sequence_number : {65534u, 1u, 65535u, 0u, 2u}) {
    reception.packet(sequence_number);
  }
  EXPECT_EQ(reception.statistics.lost(), 0);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 65538u);
}

// RFC 3550 A.1, MAX_DROPOUT is 3000.
TEST(ReceptionStatistics, AGapBelowTheLimitIsLossAndAGapAtTheLimitIsAJump) {
  Reception gap;
  gap.packet(1000);
  gap.packet(1000 + 2999);
  EXPECT_EQ(gap.statistics.received(), 2u);
  EXPECT_EQ(gap.statistics.lost(), 2998);

  Reception jump;
  jump.packet(1000);
  jump.packet(1000 + 3000);
  EXPECT_EQ(jump.statistics.received(), 1u);
  EXPECT_EQ(jump.statistics.lost(), 0);
}

// RFC 3550 A.1, MAX_MISORDER is 100.
TEST(ReceptionStatistics, AStragglerWithinTheLimitCountsAndOneAtTheLimitDoesNot) {
  Reception reception;
  reception.packet(1000);
  reception.packet(1000 - 99);
  EXPECT_EQ(reception.statistics.received(), 2u);
  reception.packet(1000 - 100);
  EXPECT_EQ(reception.statistics.received(), 2u);
}

TEST(ReceptionStatistics, AStrayJumpChangesNothing) {
  Reception reception;
  reception.packets(1000, 1009);
  reception.packet(40000);
  reception.packets(1010, 1019);
  EXPECT_EQ(reception.statistics.received(), 20u);
  EXPECT_EQ(reception.statistics.lost(), 0);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 1019u);
}

TEST(ReceptionStatistics, TwoPacketsInARowBehindAJumpAreARestart) {
  Reception reception;
  reception.packets(1000, 1009);
  reception.packet(40000);
  reception.packet(40001);
  EXPECT_EQ(reception.statistics.received(), 1u);
  EXPECT_EQ(reception.statistics.expected(), 1u);
  reception.packets(40002, 40010);
  EXPECT_EQ(reception.statistics.received(), 10u);
  EXPECT_EQ(reception.statistics.lost(), 0);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 40010u);
}

TEST(ReceptionStatistics, ARestartIsConfirmedAcrossAWrap) {
  Reception reception;
  reception.packets(30000, 30009);
  reception.packet(65535);
  reception.packet(0);
  EXPECT_EQ(reception.statistics.received(), 1u);
  EXPECT_EQ(reception.report().extended_highest_sequence_number, 0u);
}

TEST(ReceptionStatistics, TheFractionLostIsThatOfTheIntervalBetweenReports) {
  Reception reception;
  reception.packets(0, 7);
  reception.packet(9);  // one of ten lost
  EXPECT_EQ(reception.report().fraction_lost, 256 / 10);
  EXPECT_EQ(reception.report().fraction_lost, 0) << "nothing was expected since";
  reception.packet(13);  // three of four lost
  const ReportBlock block = reception.report();
  EXPECT_EQ(block.fraction_lost, 192);
  EXPECT_EQ(block.cumulative_lost, 4);
  reception.packets(10, 12);  // late, not lost: more came than was expected
  EXPECT_EQ(reception.report().fraction_lost, 0);
  EXPECT_EQ(reception.report().cumulative_lost, 1);
}

TEST(ReceptionStatistics, TheFractionLostOfARestartedSourceStartsAfresh) {
  Reception reception;
  reception.packets(0, 99);
  static_cast<void>(reception.report());
  reception.packet(40000);
  reception.packet(40001);
  reception.packet(40003);
  EXPECT_EQ(reception.report().fraction_lost, 256 / 3);
}

TEST(ReceptionStatistics, DuplicatesMakeTheLossNegative) {
  Reception reception;
  for (int i = 0; i < 5; ++i) reception.packet(7);
  EXPECT_EQ(reception.statistics.lost(), -4);
  const ReportBlock block = reception.report();
  EXPECT_EQ(block.cumulative_lost, -4);
  EXPECT_EQ(block.fraction_lost, 0);
}

// RFC 3550 A.3: clamped to what 24 bits hold.
TEST(ReceptionStatistics, TheCumulativeLossIsClamped) {
  Reception losing;
  for (unsigned i = 0; i <= 2799; ++i) losing.packet(i * 2999);
  EXPECT_EQ(losing.statistics.lost(), 2799 * 2998);
  EXPECT_EQ(losing.report().cumulative_lost, 0x7fffff);

  Reception repeating;
  for (int i = 0; i < 0x800000; ++i) repeating.packet(7);
  EXPECT_EQ(repeating.report().cumulative_lost, -0x7fffff);
  for (int i = 0; i < 10; ++i) repeating.packet(7);
  EXPECT_EQ(repeating.statistics.lost(), -0x800009);
  EXPECT_EQ(repeating.report().cumulative_lost, -0x800000);
}

TEST(ReceptionStatistics, CountsOnWhenTheExtendedSequenceNumberItselfWraps) {
  Reception reception;
  constexpr std::uint64_t kPackets = (std::uint64_t{1} << 32) / 2999 + 10;
  for (std::uint64_t i = 0; i < kPackets; ++i) {
    reception.packet(static_cast<unsigned>(i * 2999 & 0xffff));
  }
  EXPECT_EQ(reception.statistics.expected(), (kPackets - 1) * 2999 + 1);
  EXPECT_EQ(reception.statistics.lost(), static_cast<std::int64_t>((kPackets - 1) * 2998));
  const ReportBlock block = reception.report();
  EXPECT_EQ(block.extended_highest_sequence_number,
            static_cast<std::uint32_t>((kPackets - 1) * 2999));
  EXPECT_EQ(block.cumulative_lost, 0x7fffff);
}

// RFC 3550 A.8 by hand: 8 kHz, a packet each 20 ms (160 units), the third 5 ms late. The transit
// times are 0, 0, 40, 0, 0 units, so D is 0, 40, 40, 0, and 16 J is 0, 40, 40 + 40 - 3 = 77,
// 77 - 5 = 72.
TEST(ReceptionStatistics, JitterEqualsAnExampleWorkedByHand) {
  ReceptionStatistics statistics(kSsrc, 8000);
  const auto arrive = [&](int at, std::uint16_t sequence_number, std::uint32_t timestamp) {
    statistics.on_packet(kStart + milliseconds(at), sequence_number, RtpTime{timestamp});
    return statistics.report(kStart).jitter;
  };
  constexpr std::uint32_t kFirst = 0xffffff80;  // wraps with the second packet
  EXPECT_EQ(arrive(0, 1, kFirst), 0u);
  EXPECT_EQ(arrive(20, 2, kFirst + 160), 0u);
  EXPECT_EQ(arrive(45, 3, kFirst + 320), 2u);
  EXPECT_EQ(arrive(60, 4, kFirst + 480), 4u);
  EXPECT_EQ(arrive(80, 5, kFirst + 640), 4u);
  EXPECT_EQ(statistics.jitter(), std::chrono::nanoseconds(562'500));  // 72 / 16 / 8000 s
}

TEST(ReceptionStatistics, JitterStaysZeroOnASteadyStreamAtAnyHourOfTheClock) {
  for (const auto start : {seconds(0), seconds(1), seconds(100'000'000), seconds(9'000'000'000)}) {
    ReceptionStatistics statistics(kSsrc, 90000);
    for (int i = 0; i < 1000; ++i) {
      statistics.on_packet(Timestamp(start) + milliseconds(20 * i), static_cast<std::uint16_t>(i),
                           RtpTime{static_cast<std::uint32_t>(i) * 1800});
    }
    EXPECT_EQ(statistics.jitter(), Duration::zero());
  }
}

TEST(ReceptionStatistics, TheTimestampsOfARestartedSourceAreNoJitter) {
  ReceptionStatistics statistics(kSsrc, 90000);
  statistics.on_packet(kStart, 1, RtpTime{0});
  statistics.on_packet(kStart, 2, RtpTime{0});
  statistics.on_packet(kStart, 40000, RtpTime{0x70000000});
  statistics.on_packet(kStart, 40001, RtpTime{0x70000000});
  statistics.on_packet(kStart, 40002, RtpTime{0x70000000});
  EXPECT_EQ(statistics.jitter(), Duration::zero());
}

TEST(ReceptionStatistics, TheWildestTimestampsDoNotOverflowTheJitter) {
  ReceptionStatistics statistics(kSsrc, 1'000'000);
  for (unsigned i = 0; i < 10'000; ++i) {
    statistics.on_packet(kStart, static_cast<std::uint16_t>(i), RtpTime{(i % 2) << 31});
  }
  // Each difference is half the circle, and so becomes the mean.
  EXPECT_NEAR(static_cast<double>(statistics.report(kStart).jitter), 2147483648.0, 1.0);
  EXPECT_NEAR(std::chrono::duration<double>(statistics.jitter()).count(), 2147.48, 0.01);
}

TEST(ReceptionStatistics, ReportsTheLastSenderReportAndItsAge) {
  ReceptionStatistics statistics(kSsrc, 90000);
  EXPECT_EQ(statistics.report(kStart).last_sender_report, 0u);
  EXPECT_EQ(statistics.report(kStart).delay_since_last_report, 0u);
  statistics.on_sender_report(kStart, NtpTime{0x1111222233334444});
  const ReportBlock block = statistics.report(kStart + milliseconds(1500));
  EXPECT_EQ(block.last_sender_report, 0x22223333u);
  EXPECT_EQ(block.delay_since_last_report, 65536u + 32768u);
  EXPECT_EQ(statistics.report(kStart).delay_since_last_report, 0u);
}

TEST(ReceptionStatistics, TheAgeOfASenderReportStaysWithinItsField) {
  ReceptionStatistics statistics(kSsrc, 90000);
  statistics.on_sender_report(kStart, NtpTime{1});
  EXPECT_EQ(statistics.report(kStart - seconds(1)).delay_since_last_report, 0u);
  EXPECT_EQ(statistics.report(kStart + seconds(65535)).delay_since_last_report, 65535u << 16);
  EXPECT_EQ(statistics.report(kStart + seconds(65536)).delay_since_last_report, 0xffffffffu);
}

TEST(ReceptionStatisticsDeathTest, AClockRateOfZeroIsABugOfOurs) {
  EXPECT_DEATH(ReceptionStatistics(kSsrc, 0), "does not hold");
}

}  // namespace
}  // namespace runnel::rtp
