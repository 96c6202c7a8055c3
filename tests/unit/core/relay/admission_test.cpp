// Which relays an engine takes in.
#include <optional>

#include <gtest/gtest.h>

#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

class Admission : public testing::Test {
 protected:
  /// The error of adding, or nullopt.
  std::optional<RelayError> add(RelayDescription relay) {
    const auto added = engine_.add_relay(std::move(relay));
    if (added) return std::nullopt;
    return added.error();
  }
  static EngineLimits small() {
    EngineLimits limits;
    limits.relays = 2;
    limits.receivers_per_relay = 3;
    limits.media_per_leg = 2;
    return limits;
  }

  SeededRandom random_;
  Engine engine_{small(), random_};
};

TEST_F(Admission, numbers_relays_from_0) {
  EXPECT_EQ(engine_.add_relay(relay_on("a", 0)), 0U);
  EXPECT_EQ(engine_.add_relay(relay_on("b", 1)), 1U);
  EXPECT_EQ(engine_.relay_count(), 2U);
  EXPECT_EQ(engine_.statistics(1).stream, "b");
}

TEST_F(Admission, takes_as_many_relays_as_the_limit_and_not_one_more) {
  EXPECT_EQ(add(relay_on("a", 0)), std::nullopt);
  EXPECT_EQ(add(relay_on("b", 1)), std::nullopt);
  EXPECT_EQ(add(relay_on("c", 2)), RelayError::too_many_relays);
  EXPECT_EQ(engine_.relay_count(), 2U);
}

TEST_F(Admission, takes_as_many_receivers_as_the_limit_and_not_one_more) {
  auto relay = relay_on("a", 0);
  for (std::uint16_t i = 0; i < 4; ++i) {
    relay.to.push_back(receiver_on(static_cast<std::uint16_t>(10 + i), 5000));
  }
  EXPECT_EQ(add(std::move(relay)), RelayError::too_many_receivers);
  auto fewer = relay_on("a", 0);
  for (std::uint16_t i = 0; i < 3; ++i) {
    fewer.to.push_back(receiver_on(static_cast<std::uint16_t>(10 + i), 5000));
  }
  EXPECT_EQ(add(std::move(fewer)), std::nullopt);
}

TEST_F(Admission, takes_as_many_media_as_the_limit_and_not_one_more) {
  auto relay = relay_on("a", 0);
  relay.from.media.push_back(source_on(1));
  relay.from.media.push_back(source_on(2));
  EXPECT_EQ(add(std::move(relay)), RelayError::too_many_media);
  auto many_out = relay_on("a", 0);
  many_out.to.push_back(receiver_on(10, 5000));
  many_out.to[0].media.resize(3, many_out.to[0].media[0]);
  EXPECT_EQ(add(std::move(many_out)), RelayError::too_many_media);
  auto two = relay_on("a", 0);
  two.from.media.push_back(source_on(1));
  EXPECT_EQ(add(std::move(two)), std::nullopt);
}

TEST_F(Admission, refuses_a_stream_name_that_is_taken) {
  EXPECT_EQ(add(relay_on("a", 0)), std::nullopt);
  EXPECT_EQ(add(relay_on("a", 1)), RelayError::duplicate_stream);
}

TEST_F(Admission, refuses_a_source_port_that_another_leg_listens_on) {
  EXPECT_EQ(add(relay_on("a", 0)), std::nullopt);
  EXPECT_EQ(add(relay_on("b", 0)), RelayError::port_in_use);
  auto rtcp_meets_rtp = relay_on("c", 1);
  rtcp_meets_rtp.from.media[0].ports.rtcp = PortIndex{0};
  EXPECT_EQ(add(std::move(rtcp_meets_rtp)), RelayError::port_in_use);
  auto own_receiver = relay_on("d", 1);
  own_receiver.to.push_back(receiver_on(1, 5000));
  EXPECT_EQ(add(std::move(own_receiver)), RelayError::port_in_use);
}

TEST_F(Admission, refuses_two_receiver_legs_on_a_port_that_is_not_shared) {
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(10, 5000));
  relay.to.push_back(receiver_on(10, 6000));
  EXPECT_EQ(add(std::move(relay)), RelayError::port_in_use);
}

TEST_F(Admission, a_source_cannot_have_a_shared_port) {
  engine_.add_shared_port(PortIndex{0});
  EXPECT_EQ(add(relay_on("a", 0)), RelayError::port_in_use);
}

TEST_F(Admission, a_refused_relay_leaves_nothing_behind) {
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(10, 5000));
  relay.to.push_back(receiver_on(10, 6000));
  EXPECT_EQ(add(std::move(relay)), RelayError::port_in_use);
  auto again = relay_on("a", 0);
  again.to.push_back(receiver_on(10, 5000));
  EXPECT_EQ(add(std::move(again)), std::nullopt);
  EXPECT_EQ(engine_.statistics(0).to.size(), 1U);
}

TEST_F(Admission, receivers_on_a_shared_port_need_paths_of_their_own) {
  engine_.add_shared_port(PortIndex{9});
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(9, 5000));
  relay.to.push_back(receiver_on(9, 5000));
  EXPECT_EQ(add(std::move(relay)), RelayError::path_in_use);
  auto apart = relay_on("a", 0);
  apart.to.push_back(receiver_on(9, 5000));
  apart.to.push_back(receiver_on(9, 5001));
  EXPECT_EQ(add(std::move(apart)), std::nullopt);
  auto other = relay_on("b", 1);
  other.to.push_back(receiver_on(9, 5001));
  EXPECT_EQ(add(std::move(other)), RelayError::path_in_use);
}

TEST_F(Admission, one_leg_may_be_latched_on_a_shared_port_and_not_two) {
  engine_.add_shared_port(PortIndex{9});
  const auto latched = [](const char* name, std::uint16_t port) {
    auto relay = relay_on(name, port);
    ReceiverLeg leg = receiver_on(9, 5000);
    leg.latch = Latch::first;
    leg.media[0].rtp_destination.reset();
    leg.media[0].rtcp_destination.reset();
    relay.to.push_back(std::move(leg));
    return relay;
  };
  EXPECT_EQ(add(latched("a", 0)), std::nullopt);
  EXPECT_EQ(add(latched("b", 1)), RelayError::port_in_use);
}

TEST_F(Admission, refuses_a_medium_that_the_source_does_not_have) {
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(10, 5000));
  relay.to[0].media[0].source = 1;
  EXPECT_EQ(add(std::move(relay)), RelayError::unknown_source_medium);
}

TEST_F(Admission, refuses_legs_without_media) {
  RelayDescription nothing;
  nothing.stream = "a";
  EXPECT_EQ(add(std::move(nothing)), RelayError::no_media);
  auto relay = relay_on("a", 0);
  relay.to.emplace_back();
  EXPECT_EQ(add(std::move(relay)), RelayError::no_media);
}

TEST_F(Admission, refuses_two_media_that_cannot_be_told_apart_by_payload_type) {
  auto relay = relay_on("a", 0);
  relay.from.media.push_back(source_on(0, 96));
  EXPECT_EQ(add(std::move(relay)), RelayError::duplicate_payload_type);
  auto sent = relay_on("a", 0);
  sent.to.push_back(receiver_on(10, 5000));
  sent.to[0].media.push_back(sent.to[0].media[0]);
  EXPECT_EQ(add(std::move(sent)), RelayError::duplicate_payload_type);
  auto bundle = relay_on("a", 0);
  bundle.from.media.push_back(source_on(0, 97));
  EXPECT_EQ(add(std::move(bundle)), std::nullopt);
}

TEST_F(Admission, refuses_one_pinned_ssrc_twice_under_one_key) {
  const auto pinned = [](const char* name, std::uint16_t port, std::uint8_t key) {
    auto relay = relay_on(name, port);
    relay.to.push_back(receiver_on(static_cast<std::uint16_t>(port + 10), 5000));
    relay.to[0].srtp = with_key(key);
    relay.to[0].media[0].ssrc = 77;
    return relay;
  };
  EXPECT_EQ(add(pinned("a", 0, 1)), std::nullopt);
  EXPECT_EQ(add(pinned("b", 1, 1)), RelayError::ssrc_in_use_with_key);
  EXPECT_EQ(add(pinned("b", 1, 2)), std::nullopt) << "another key, another keystream";
}

TEST_F(Admission, refuses_a_pinned_ssrc_that_the_source_sends_under_the_same_key) {
  auto relay = relay_on("a", 0);
  relay.from.srtp = with_key(1);
  relay.from.media[0].ssrc = 77;
  relay.to.push_back(receiver_on(10, 5000));
  relay.to[0].srtp = with_key(1);
  relay.to[0].media[0].ssrc = 77;
  EXPECT_EQ(add(std::move(relay)), RelayError::ssrc_in_use_with_key);
}

TEST_F(Admission, random_ssrcs_differ_and_a_pinned_one_is_kept) {
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(10, 5000));
  relay.to.push_back(receiver_on(11, 5000));
  relay.to.push_back(receiver_on(12, 5000));
  relay.to[1].media[0].ssrc = 77;
  EXPECT_EQ(add(std::move(relay)), std::nullopt);
  const auto receivers = engine_.statistics(0).to;
  EXPECT_EQ(receivers[1].media[0].ssrc, 77U);
  EXPECT_NE(receivers[0].media[0].ssrc, receivers[2].media[0].ssrc);
}

TEST_F(Admission, asks_of_a_receiver_that_comes_later_what_it_asks_of_the_first_ones) {
  engine_.add_shared_port(PortIndex{9});
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(9, 5000));
  EXPECT_EQ(add(std::move(relay)), std::nullopt);
  const auto refusal = [this](ReceiverLeg leg) {
    return engine_.add_receiver(0, std::move(leg)).error();
  };
  EXPECT_EQ(refusal(receiver_on(9, 5000)), RelayError::path_in_use);
  EXPECT_EQ(refusal(receiver_on(0, 5001)), RelayError::port_in_use);
  EXPECT_EQ(refusal({}), RelayError::no_media);
  auto unknown = receiver_on(9, 5001);
  unknown.media[0].source = 1;
  EXPECT_EQ(refusal(std::move(unknown)), RelayError::unknown_source_medium);
  auto many = receiver_on(9, 5001);
  many.media.resize(3, many.media[0]);
  EXPECT_EQ(refusal(std::move(many)), RelayError::too_many_media);
  EXPECT_EQ(engine_.add_receiver(0, receiver_on(9, 5001)), 1U);
  EXPECT_EQ(engine_.add_receiver(0, receiver_on(9, 5002)), 2U);
  EXPECT_EQ(refusal(receiver_on(9, 5003)), RelayError::too_many_receivers);
}

TEST_F(Admission, refuses_a_receiver_that_would_send_one_keystream_twice) {
  auto relay = relay_on("a", 0);
  relay.from.srtp = with_key(1);
  relay.from.media[0].ssrc = 77;
  EXPECT_EQ(add(std::move(relay)), std::nullopt);
  const auto pinned = [](std::uint16_t port, std::uint8_t key) {
    auto leg = receiver_on(port, 5000);
    leg.srtp = with_key(key);
    leg.media[0].ssrc = 77;
    return leg;
  };
  EXPECT_EQ(engine_.add_receiver(0, pinned(10, 1)).error(), RelayError::ssrc_in_use_with_key);
  EXPECT_TRUE(engine_.add_receiver(0, pinned(10, 2)));
  EXPECT_EQ(engine_.add_receiver(0, pinned(11, 2)).error(), RelayError::ssrc_in_use_with_key);
}

TEST_F(Admission, lets_a_source_take_over_its_own_ports_and_nobody_elses) {
  EXPECT_EQ(add(relay_on("a", 0)), std::nullopt);
  EXPECT_EQ(add(relay_on("b", 1)), std::nullopt);
  EXPECT_EQ(engine_.replace_source(0, relay_on("", 1).from).error(), RelayError::port_in_use);
  EXPECT_TRUE(engine_.replace_source(0, relay_on("", 0).from));
  EXPECT_TRUE(engine_.replace_source(0, relay_on("", 2).from));
  EXPECT_TRUE(engine_.replace_source(1, relay_on("", 0).from)) << "it has left it";
  EXPECT_EQ(engine_.replace_source(1, {}).error(), RelayError::no_media);
}

TEST_F(Admission, counts_relays_that_are_there_and_not_those_that_were) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(add(relay_on("a", 0)), std::nullopt);
    EXPECT_EQ(add(relay_on("b", 1)), std::nullopt);
    EXPECT_EQ(add(relay_on("c", 2)), RelayError::too_many_relays);
    engine_.remove_relay(*engine_.find_relay("a"));
    engine_.remove_relay(*engine_.find_relay("b"));
  }
  EXPECT_EQ(engine_.relay_count(), 0U);
}

TEST_F(Admission, asks_nothing_of_ports_of_a_leg_by_message) {
  auto relay = relay_on("a", 0);
  relay.from.channel = ChannelId{1};
  for (std::uint32_t i = 0; i < 3; ++i) {
    relay.to.push_back(receiver_on(0, 5000));
    relay.to.back().channel = ChannelId{i};
  }
  EXPECT_EQ(add(std::move(relay)), std::nullopt);
  EXPECT_EQ(add(relay_on("b", 0)), std::nullopt);
}

TEST(RelayErrors, each_has_words_of_its_own) {
  EXPECT_EQ(to_string(RelayError::no_media), "a leg without media");
  EXPECT_NE(to_string(RelayError::too_many_relays), to_string(RelayError::too_many_receivers));
}

}  // namespace
}  // namespace runnel::relay
