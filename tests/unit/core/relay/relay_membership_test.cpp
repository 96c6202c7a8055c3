// What comings and goings leave behind: nothing.
#include "core/relay/relay_membership.h"

#include <gtest/gtest.h>

#include "core/relay/admission.h"
#include "core/relay/receiver_leg.h"
#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

constexpr PortIndex kShared{9};

/// One of everything: sources on ports of their own and on the shared one, by SSRC and by address;
/// receivers by path, latched with and without an SSRC, pinned and not, by message.
RelayDescription one_of_everything() {
  auto relay = relay_on("camera", 0);
  relay.from.srtp = with_key(1);
  relay.from.media[0].ports.rtcp = PortIndex{1};
  relay.from.media.push_back(source_on(9, 97));
  relay.from.media[1].ssrc = 0x1234;
  relay.from.media.push_back(source_on(9, 98));
  relay.from.media[2].remote = host(7000);
  relay.from.media[2].rtcp_remote = host(7001);
  relay.to.push_back(receiver_on(10, 5000));
  relay.to.push_back(receiver_on(9, 5001));
  relay.to[1].srtp = with_key(2);
  relay.to[1].media[0].ssrc = 77;
  for (const std::size_t leg : {2U, 3U}) {
    relay.to.push_back(receiver_on(9, 0));
    relay.to[leg].latch = Latch::first;
    relay.to[leg].media[0].rtp_destination.reset();
    relay.to[leg].media[0].rtcp_destination.reset();
  }
  relay.to[3].media[0].reply_ssrc = 88;
  relay.to[3].media[0].source = 1;
  relay.to.emplace_back().channel = ChannelId{3};
  relay.to[4].media.emplace_back().source = 2;
  return relay;
}

class Membership : public testing::Test {
 protected:
  Membership() { state_.ports.set(kShared, {PortUse::Kind::shared, PortUse::kNobody}); }

  void bury() {
    Outbox outbox;
    while (!state_.farewells.empty()) {
      outbox.clear();
      state_.farewells.deliver(outbox);
    }
    state_.departures.told();
    bury_departed(state_);
  }
  void expect_nothing_left() {
    EXPECT_EQ(state_.relays.size(), 0U);
    EXPECT_EQ(state_.legs.size(), 0U);
    EXPECT_EQ(state_.tracks.size(), 0U);
    EXPECT_EQ(state_.receivers.size(), 0U);
    EXPECT_TRUE(state_.streams.empty());
    EXPECT_EQ(state_.paths.size(), 0U);
    EXPECT_EQ(state_.source_paths.size(), 0U);
    EXPECT_EQ(state_.known_ssrcs.size(), 0U);
    EXPECT_EQ(state_.ssrcs.size(), 0U);
    EXPECT_TRUE(state_.pinned.empty());
    EXPECT_TRUE(state_.burst.tracks().empty());
    EXPECT_TRUE(state_.control.empty());
    EXPECT_EQ(state_.deadlines.earliest(), std::nullopt);
    EXPECT_TRUE(state_.farewells.empty());
    EXPECT_TRUE(state_.departures.empty());
    for (std::uint16_t port = 0; port < 20; ++port) {
      const PortUse use = state_.ports.at(PortIndex{port});
      EXPECT_EQ(use.kind,
                PortIndex{port} == kShared ? PortUse::Kind::shared : PortUse::Kind::unused);
      EXPECT_EQ(use.owner, PortUse::kNobody);
    }
  }

  SeededRandom random_;
  EngineState state_{EngineLimits{}, random_};
};

TEST_F(Membership, what_is_added_is_in_every_table_and_what_is_removed_in_none) {
  ASSERT_TRUE(check_relay(state_, one_of_everything()));
  const std::uint32_t relay = add_relay(state_, one_of_everything());
  EXPECT_EQ(state_.tracks.size(), 3U);
  EXPECT_EQ(state_.receivers.size(), 5U);
  EXPECT_EQ(state_.paths.size(), 1U);
  EXPECT_EQ(state_.source_paths.size(), 2U);
  EXPECT_EQ(state_.known_ssrcs.size(), 2U);
  EXPECT_EQ(state_.pinned.size(), 2U);
  EXPECT_EQ(state_.ports.at(kShared).owner, 2U);
  EXPECT_FALSE(check_relay(state_, one_of_everything()));
  remove_relay(state_, relay);
  EXPECT_TRUE(check_relay(state_, one_of_everything())) << "all is free at once";
  bury();
  expect_nothing_left();
}

TEST_F(Membership, every_leg_takes_with_it_what_it_had) {
  const std::uint32_t relay = add_relay(state_, one_of_everything());
  for (const std::uint32_t leg : {0U, 1U, 2U, 3U, 4U}) remove_receiver_leg(state_, leg);
  EXPECT_EQ(state_.relays[relay].receiver_count, 0U);
  EXPECT_EQ(state_.paths.size(), 0U);
  EXPECT_EQ(state_.known_ssrcs.size(), 1U);
  EXPECT_EQ(state_.pinned.size(), 1U);
  for (const std::uint32_t track : state_.relays[relay].tracks) {
    EXPECT_TRUE(state_.tracks[track].receivers.empty());
  }
  detach_source(state_, relay);
  EXPECT_EQ(state_.source_paths.size(), 0U);
  EXPECT_EQ(state_.known_ssrcs.size(), 0U);
  EXPECT_TRUE(state_.pinned.empty());
  EXPECT_EQ(state_.ssrcs.size(), 0U);
  remove_relay(state_, relay);
  bury();
  expect_nothing_left();
}

TEST_F(Membership, ten_thousand_comings_and_goings_leave_nothing_behind) {
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t relay = add_relay(state_, one_of_everything());
    const std::uint32_t ssrc = state_.ssrcs.reserve_one();
    auto other = one_of_everything().from;
    other.media[1].ssrc = ssrc;
    ASSERT_TRUE(check_replacement(state_, relay, other));
    replace_source(state_, relay, std::move(other));
    remove_receiver_leg(state_, state_.relays[relay].legs[1]);
    const std::uint32_t receiver = add_receiver(state_, relay, receiver_on(9, 5001));
    EXPECT_EQ(receiver, 5U);
    remove_relay(state_, relay);
    bury();
  }
  expect_nothing_left();
  EXPECT_LE(state_.relays.bound(), 1U);
  EXPECT_LE(state_.legs.bound(), 6U);
  EXPECT_LE(state_.tracks.bound(), 3U);
  EXPECT_LE(state_.receivers.bound(), 6U);
}

}  // namespace
}  // namespace runnel::relay
