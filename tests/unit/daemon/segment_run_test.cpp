// What may leave as one UDP_SEGMENT message, and what may not.
#include "daemon/segment_run.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

constexpr std::array<std::uint8_t, 2048> kBytes{};

relay::OutgoingDatagram datagram(std::size_t size, std::uint16_t to = 1, std::uint16_t port = 0) {
  return {relay::PortIndex{port}, {IpAddress{}, to}, ByteView(kBytes).first(size), 0};
}

std::size_t run(const std::vector<relay::OutgoingDatagram>& datagrams) {
  return segment_run(datagrams);
}

TEST(SegmentRun, OfNothingIsEmpty) {
  EXPECT_EQ(run({}), 0u);
}

TEST(SegmentRun, TakesEqualSizes) {
  EXPECT_EQ(run({datagram(1200), datagram(1200), datagram(1200)}), 3u);
}

TEST(SegmentRun, EndsWithAShorterDatagram) {
  EXPECT_EQ(run({datagram(1200), datagram(1200), datagram(700), datagram(700)}), 3u);
}

TEST(SegmentRun, EndsBeforeALongerDatagram) {
  EXPECT_EQ(run({datagram(1200), datagram(1201)}), 1u);
}

TEST(SegmentRun, EndsBeforeAnEmptyDatagram) {
  EXPECT_EQ(run({datagram(1200), datagram(0)}), 1u);
  EXPECT_EQ(run({datagram(0), datagram(0)}), 1u);
}

TEST(SegmentRun, KeepsToOneDestinationAndOnePort) {
  EXPECT_EQ(run({datagram(100, 1), datagram(100, 2)}), 1u);
  EXPECT_EQ(run({datagram(100, 1, 0), datagram(100, 1, 1)}), 1u);
}

TEST(SegmentRun, HasAtMost64Segments) {
  EXPECT_EQ(run(std::vector(64, datagram(100))), 64u);
  EXPECT_EQ(run(std::vector(65, datagram(100))), 64u);
}

TEST(SegmentRun, HasAtMost65507Bytes) {
  // 33 x 1984 = 65472, which leaves room for 35 bytes.
  std::vector<relay::OutgoingDatagram> datagrams(33, datagram(1984));
  datagrams.push_back(datagram(35));
  EXPECT_EQ(run(datagrams), 34u);
  datagrams.back() = datagram(36);
  EXPECT_EQ(run(datagrams), 33u);
}

}  // namespace
}  // namespace runnel::daemon
