// What waits to be sent, and how much of it.
#include "core/dtls/flight_queue.h"

#include <gtest/gtest.h>

#include "tests/unit/core/dtls/pair.h"

namespace runnel::dtls {
namespace {

constexpr Timestamp kNow{std::chrono::seconds(100)};

Bytes handshake_record(std::size_t size) {
  return Bytes(size, 22);
}

std::size_t drain(FlightQueue& queue) {
  std::size_t count = 0;
  while (queue.next()) ++count;
  return count;
}

TEST(FlightQueue, HoldsDatagramsUpToItsLimit) {
  for (const std::size_t count : {kMaxOutgoingDatagrams, kMaxOutgoingDatagrams + 1}) {
    FlightQueue queue({});
    for (std::size_t i = 0; i < count; ++i) queue.write(handshake_record(kMtu));
    EXPECT_EQ(queue.lost(), count - kMaxOutgoingDatagrams);
    EXPECT_EQ(drain(queue), kMaxOutgoingDatagrams);
    queue.write(handshake_record(kMtu));
    EXPECT_EQ(drain(queue), 1u);
  }
}

TEST(FlightQueue, PutsRecordsOfOneTurnIntoOneDatagramWhileTheyFit) {
  FlightQueue queue({});
  queue.begin_turn(kNow);
  queue.write(handshake_record(kMtu - 100));
  queue.write(handshake_record(100));
  queue.write(handshake_record(1));
  queue.begin_turn(kNow);
  queue.write(handshake_record(1));
  EXPECT_EQ(queue.next()->size(), kMtu);
  EXPECT_EQ(queue.next()->size(), 1u);
  EXPECT_EQ(queue.next()->size(), 1u);
  EXPECT_FALSE(queue.next());
}

TEST(FlightQueue, KeepsRetransmissionsForTheirTimeButNotAlerts) {
  FlightQueue queue({.retransmissions = 1});
  queue.begin_turn(kNow);
  EXPECT_TRUE(queue.begin_flight());
  queue.write(handshake_record(10));
  EXPECT_FALSE(queue.begin_retransmission());
  queue.write(handshake_record(20));
  queue.write(Bytes(15, 21));
  EXPECT_EQ(queue.next()->size(), 25u);  // the flight, and the alert behind it
  EXPECT_FALSE(queue.next());
  EXPECT_EQ(queue.handle_timeout(kNow), FlightQueue::Timeout::not_yet);
  EXPECT_EQ(queue.handle_timeout(*queue.deadline()), FlightQueue::Timeout::sent_again);
  EXPECT_EQ(queue.next()->size(), 20u);
  EXPECT_EQ(queue.handle_timeout(*queue.deadline()), FlightQueue::Timeout::gave_up);
  EXPECT_FALSE(queue.deadline());
}

TEST(FlightQueue, ForgetsRetransmissionsOfAFlightThatIsAnswered) {
  FlightQueue queue({.retransmissions = 1});
  queue.begin_turn(kNow);
  EXPECT_TRUE(queue.begin_flight());
  EXPECT_FALSE(queue.begin_retransmission());
  queue.write(handshake_record(20));
  queue.settle();
  EXPECT_FALSE(queue.deadline());
  EXPECT_EQ(queue.handle_timeout(kNow + std::chrono::hours(1)), FlightQueue::Timeout::not_yet);
  EXPECT_FALSE(queue.next());
}

}  // namespace
}  // namespace runnel::dtls
