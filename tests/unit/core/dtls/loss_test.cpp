// Flights that are lost, late, doubled or cut in pieces (RFC 6347 §4.2).
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/core/dtls/pair.h"

namespace runnel::dtls {
namespace {

using std::chrono::seconds;

/// The four flights of a handshake, the first three of which are answered by the next.
struct Flights {
  Pair pair;
  Datagrams client_hello;
  Datagrams server_hello;
  Datagrams client_finished;
  Datagrams server_finished;

  void say_hello() {
    pair.client.start(pair.now);
    client_hello = take(pair.client);
  }
  void answer_hello() {
    say_hello();
    pair.deliver(pair.server, client_hello);
    server_hello = take(pair.server);
  }
  void finish_client() {
    answer_hello();
    pair.deliver(pair.client, server_hello);
    client_finished = take(pair.client);
  }
  void finish_server() {
    finish_client();
    pair.deliver(pair.server, client_finished);
    server_finished = take(pair.server);
  }
};

TEST(Loss, OfEachFlightIsMadeGoodByARetransmission) {
  struct Case {
    void (Flights::*until)();
    Duration takes;
  };
  // The last flight has no timer of its own: the client asks for it by its Finished.
  for (const auto& [until, takes] :
       {Case{&Flights::say_hello, seconds(1)}, Case{&Flights::answer_hello, seconds(1)},
        Case{&Flights::finish_client, seconds(1)}, Case{&Flights::finish_server, seconds(1)}}) {
    Flights flights;
    const Timestamp begin = flights.pair.now;
    (flights.*until)();
    flights.pair.run();
    EXPECT_TRUE(flights.pair.are_connected());
    EXPECT_EQ(flights.pair.now - begin, takes);
    const auto server = flights.pair.server.keys();
    const auto client = flights.pair.client.keys();
    ASSERT_TRUE(server && client);
    EXPECT_TRUE(server->local.same_key(client->remote));
  }
}

TEST(Loss, OfAnyOneDatagramIsMadeGood) {
  for (const bool is_client : {true, false}) {
    for (std::size_t lost = 0; lost < 8; ++lost) {
      Pair pair;
      pair.run(
          [&](bool from_client, std::size_t i) { return from_client == is_client && i == lost; });
      EXPECT_TRUE(pair.are_connected()) << is_client << lost;
    }
  }
}

TEST(Loss, OfAThirdOfAllDatagramsIsMadeGood) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::minstd_rand random(seed + 1);
    Pair pair(first_context(), second_context(), {.retransmissions = 12});
    pair.run([&](bool, std::size_t) { return random() % 3 == 0; });
    EXPECT_TRUE(pair.are_connected())
        << seed << ' ' << pair.client.failure_detail() << ' ' << pair.server.failure_detail();
  }
}

// The client repeats the flight that holds its Finished, which the server has had. The records are
// new ones, otherwise the server would drop them as replayed and stay silent.
TEST(Loss, OfTheLastFlightIsMadeGoodAgainAndAgain) {
  Flights flights;
  flights.finish_server();
  Pair& pair = flights.pair;
  EXPECT_EQ(pair.server.state(), State::connected);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(pair.pass_time());
    pair.deliver(pair.server, take(pair.client));
    EXPECT_FALSE(take(pair.server).empty()) << i;
  }
  EXPECT_EQ(pair.client.state(), State::handshaking);
  ASSERT_TRUE(pair.pass_time());
  pair.exchange();
  EXPECT_TRUE(pair.are_connected());
}

TEST(Timer, BeginsWithASecondDoublesUpToItsCapAndGivesUp) {
  Pair pair;
  pair.client.start(pair.now);
  EXPECT_EQ(take(pair.client).size(), 1u);
  const Timestamp begin = pair.now;
  for (const int after : {1, 3, 7, 15, 23, 31}) {
    EXPECT_EQ(pair.client.next_timeout(), begin + seconds(after));
    pair.client.handle_timeout(begin + seconds(after) - Duration(1));
    EXPECT_EQ(pair.client.next_datagram(), std::nullopt);
    pair.client.handle_timeout(begin + seconds(after));
    EXPECT_EQ(take(pair.client).size(), 1u);
  }
  EXPECT_EQ(pair.client.counts().retransmitted_flights, 6u);
  EXPECT_EQ(pair.client.next_timeout(), begin + seconds(39));
  pair.client.handle_timeout(begin + seconds(39));
  EXPECT_EQ(pair.client.state(), State::failed);
  EXPECT_EQ(pair.client.failure(), Failure::timed_out);
  EXPECT_EQ(pair.client.next_datagram(), std::nullopt);
  EXPECT_EQ(pair.client.next_timeout(), std::nullopt);
}

TEST(Timer, OfThePassiveSideRunsFromItsFirstFlightOn) {
  Flights flights;
  flights.say_hello();
  Pair& pair = flights.pair;
  pair.now += std::chrono::minutes(5);
  pair.deliver(pair.server, flights.client_hello);
  EXPECT_EQ(pair.server.next_timeout(), pair.now + seconds(1));
  const Datagrams first = take(pair.server);
  pair.server.handle_timeout(pair.now + seconds(1));
  const Datagrams second = take(pair.server);
  EXPECT_EQ(second.size(), first.size());
  // Not the same bytes: each record has a number of its own.
  EXPECT_NE(second, first);
  pair.deliver(pair.client, second);
  pair.exchange();
  EXPECT_TRUE(pair.are_connected());
}

class Retransmissions : public testing::TestWithParam<std::size_t> {};

TEST_P(Retransmissions, AreAsManyAsAllowed) {
  Pair pair(first_context(), second_context(), {.retransmissions = GetParam()});
  pair.client.start(pair.now);
  std::size_t flights = 0;
  while (pair.client.state() == State::handshaking) {
    flights += take(pair.client).size();
    ASSERT_TRUE(pair.pass_time());
  }
  EXPECT_EQ(flights, 1 + std::min<std::size_t>(GetParam(), 12));
  EXPECT_EQ(pair.client.failure(), Failure::timed_out);
}

INSTANTIATE_TEST_SUITE_P(Counts, Retransmissions, testing::Values(0, 1, 11, 12, 13));

TEST(Order, OfTheDatagramsOfAFlightDoesNotMatter) {
  Flights flights;
  flights.answer_hello();
  Pair& pair = flights.pair;
  // A retransmitted flight after the first one, backwards.
  pair.pass_time();
  Datagrams all = flights.server_hello;
  const Datagrams again = take(pair.server);
  all.insert(all.begin(), again.begin(), again.end());
  pair.deliver(pair.client, all);
  pair.exchange();
  EXPECT_TRUE(pair.are_connected());
}

TEST(Duplicates, OfEveryDatagramAreHarmless) {
  Pair pair;
  pair.client.start(pair.now);
  Datagrams ever;
  for (int round = 0; round < 4; ++round) {
    Datagrams sent = take(pair.client);
    pair.deliver(pair.server, sent);
    pair.deliver(pair.server, sent);
    Datagrams answer = take(pair.server);
    pair.deliver(pair.client, answer);
    pair.deliver(pair.client, answer);
    ever.insert(ever.end(), sent.begin(), sent.end());
    ever.insert(ever.end(), answer.begin(), answer.end());
  }
  ASSERT_TRUE(pair.are_connected());
  pair.deliver(pair.server, ever);
  pair.deliver(pair.client, ever);
  EXPECT_TRUE(pair.are_connected());
  EXPECT_TRUE(take(pair.server).empty());
  EXPECT_TRUE(take(pair.client).empty());
}

TEST(Records, MayComeOneByOneAndInAnyOrder) {
  for (int rotation = 0; rotation < 6; ++rotation) {
    Pair pair;
    pair.client.start(pair.now);
    for (int round = 0; round < 3; ++round) {
      for (Association* from : {&pair.client, &pair.server}) {
        Datagrams records = split(take(*from));
        if (records.empty()) continue;
        std::rotate(records.begin(),
                    records.begin() + rotation % static_cast<std::ptrdiff_t>(records.size()),
                    records.end());
        pair.deliver(from == &pair.client ? pair.server : pair.client, records);
      }
    }
    pair.run();
    EXPECT_TRUE(pair.are_connected()) << rotation;
    EXPECT_EQ(pair.client.failure_detail(), "");
    EXPECT_EQ(pair.server.failure_detail(), "");
  }
}

}  // namespace
}  // namespace runnel::dtls
