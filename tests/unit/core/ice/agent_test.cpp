#include "core/ice/agent.h"

#include <gtest/gtest.h>

#include "tests/unit/core/ice/full_agent.h"

namespace runnel::ice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Timestamp kStart{seconds(1000)};

TEST(Agent, Rfc8445Section7_3AnswersACheckWithWhereItCameFrom) {
  for (const char* ip : {"192.0.2.1", "2001:db8::1"}) {
    Agent agent(kLocal);
    const Answered answered = check(agent, kStart, path_of(5000, ip));
    const stun::MessageView response = answered.view();
    EXPECT_TRUE(response.is_binding(stun::MessageClass::success_response));
    EXPECT_EQ(response.transaction_id(), (stun::TransactionId{1, 2, 3}));
    EXPECT_EQ(response.xor_mapped_address(), (SocketAddress{*IpAddress::parse(ip), 5000}));
    EXPECT_TRUE(response.is_authentic(stun::integrity_key(kLocal.password)));
    EXPECT_TRUE(response.has_fingerprint());
    EXPECT_TRUE(answered.outcome.validated);
    EXPECT_TRUE(agent.is_validated(path_of(5000, ip)));
  }
}

TEST(Agent, APlainCheckValidatesAndSelectsNothing) {
  Agent agent(kLocal);
  const Answered answered = check(agent, kStart, path_of(1));
  EXPECT_FALSE(answered.outcome.selected);
  EXPECT_FALSE(agent.selected().has_value());
  EXPECT_FALSE(agent.consent_end().has_value());
}

TEST(Agent, Rfc8445Section8_1_1NominationAfterAPlainCheckAsChromiumDoes) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1));
  const Answered answered = check(agent, kStart, path_of(1), nominating());
  EXPECT_TRUE(answered.outcome.selected);
  EXPECT_FALSE(answered.outcome.validated);
  EXPECT_EQ(agent.selected(), path_of(1));
}

TEST(Agent, NominationInTheFirstCheckAsFirefoxDoes) {
  Agent agent(kLocal);
  const Answered answered = check(agent, kStart, path_of(1), nominating());
  EXPECT_TRUE(answered.outcome.selected);
  EXPECT_TRUE(answered.outcome.validated);
  EXPECT_EQ(agent.selected(), path_of(1));
}

TEST(Agent, SeveralSourcesBeforeNomination) {
  Agent agent(kLocal);
  for (std::uint16_t port = 1; port <= 3; ++port) check(agent, kStart, path_of(port));
  check(agent, kStart, path_of(2), nominating());
  EXPECT_EQ(agent.selected(), path_of(2));
  EXPECT_EQ(agent.paths().size(), 3u);
}

TEST(Agent, TheSameAddressByAnotherPortOfOursIsAnotherPath) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1));
  EXPECT_FALSE(agent.is_validated({.port = PortIndex{1}, .remote = path_of(1).remote}));
}

TEST(Agent, ANominatedCheckFromANewAddressMovesThePathAtOnce) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  const Answered moved = check(agent, kStart + milliseconds(1), path_of(2), nominating());
  EXPECT_TRUE(moved.outcome.selected);
  EXPECT_EQ(agent.selected(), path_of(2));
  // And back, as a phone does that finds its WLAN again.
  EXPECT_TRUE(check(agent, kStart + milliseconds(2), path_of(1), nominating()).outcome.selected);
  EXPECT_EQ(agent.selected(), path_of(1));
  EXPECT_TRUE(agent.is_validated(path_of(2)));
}

TEST(Agent, RepeatedNominationOfTheSelectedPathIsNoMove) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  EXPECT_FALSE(check(agent, kStart, path_of(1), nominating()).outcome.selected);
}

TEST(Agent, APlainCheckFromElsewhereMovesNothingWhileTheSelectedPathIsHeard) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  EXPECT_FALSE(check(agent, kStart + milliseconds(2999), path_of(2)).outcome.selected);
  EXPECT_EQ(agent.selected(), path_of(1));
}

// A NAT has given the peer another address, and its consent checks do not nominate (Firefox).
TEST(Agent, APlainCheckFromElsewhereMovesThePathWhenTheSelectedOneIsSilent) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  EXPECT_TRUE(check(agent, kStart + seconds(3), path_of(2)).outcome.selected);
  EXPECT_EQ(agent.selected(), path_of(2));
  EXPECT_EQ(agent.consent_end(), kStart + seconds(33));
}

TEST(Agent, Rfc8445Section7_3_1_1APeerThatBelievesToBeControlledIsToldTo487) {
  Agent agent(kLocal);
  const Answered answered =
      check(agent, kStart, path_of(1), {.nominate = true, .role = Role::controlled});
  EXPECT_EQ(answered.error(), stun::ErrorCode::role_conflict);
  EXPECT_TRUE(answered.view().is_authentic(stun::integrity_key(kLocal.password)));
  EXPECT_FALSE(agent.is_validated(path_of(1)));
  EXPECT_FALSE(agent.selected().has_value());
}

TEST(Agent, APeerThatDoesNotTellItsRoleIsAnswered) {
  Agent agent(kLocal);
  EXPECT_EQ(check(agent, kStart, path_of(1), {.role = Role::untold}).error(), std::nullopt);
}

TEST(Agent, Rfc8489Section6_3_1UnknownRequiredAttributesAreNamedBy420) {
  Agent agent(kLocal);
  const Answered answered =
      check(agent, kStart, path_of(1),
            {.nominate = true,
             .additional = {stun::AttributeType{0x7777}, stun::AttributeType{0xc057},
                            stun::AttributeType{0x0014}}});
  EXPECT_EQ(answered.error(), stun::ErrorCode::unknown_attribute);
  std::array<stun::AttributeType, 8> named;
  ASSERT_EQ(answered.view().unknown_attributes(named), 2u);
  EXPECT_EQ(named[0], stun::AttributeType{0x7777});
  EXPECT_EQ(named[1], stun::AttributeType{0x0014});
  EXPECT_FALSE(agent.is_validated(path_of(1)));
}

TEST(Agent, SixteenUnknownAttributesAreNamedAndNoMore) {
  for (const std::size_t count : {std::size_t{16}, std::size_t{17}, std::size_t{300}}) {
    Agent agent(kLocal);
    Check many;
    for (std::size_t i = 0; i < count; ++i) {
      many.additional.push_back(static_cast<stun::AttributeType>(0x7000 + i));
    }
    const Answered answered = check(agent, kStart, path_of(1), many);
    std::array<stun::AttributeType, 32> named;
    EXPECT_EQ(answered.view().unknown_attributes(named), 16u);
    EXPECT_LE(answered.response.size(), kMaxResponseSize);
  }
}

TEST(Agent, UnknownOptionalAttributesOfChromiumAreIgnored) {
  Agent agent(kLocal);
  Check chromium = nominating();
  chromium.additional = {stun::AttributeType{0xc057}, stun::AttributeType{0xc001}};
  EXPECT_EQ(check(agent, kStart, path_of(1), chromium).error(), std::nullopt);
}

TEST(Agent, WhatIsNotAuthenticGetsNoAnswerAndLeavesNothing) {
  Agent agent(kLocal);
  agent.set_remote_ufrag("cliU");
  Check wrong_password = nominating();
  wrong_password.password = "srvpasswordsrvpassword13";
  EXPECT_EQ(refusal_of(agent, path_of(1), wrong_password), DropReason::authentication_failed);
  Check wrong_ufrag = nominating();
  wrong_ufrag.local_ufrag = "srvu";
  EXPECT_EQ(refusal_of(agent, path_of(1), wrong_ufrag), DropReason::unknown_path);
  Check wrong_remote = nominating();
  wrong_remote.remote_ufrag = "evil";
  EXPECT_EQ(refusal_of(agent, path_of(1), wrong_remote), DropReason::unknown_path);
  EXPECT_TRUE(agent.paths().empty());
  EXPECT_FALSE(agent.selected().has_value());
}

TEST(Agent, ForgedChecksNeitherMoveThePathNorKeepConsent) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  Check forged = nominating();
  forged.password = "guessedguessedguessed1";
  const auto answered = deliver(agent, kStart + seconds(20), path_of(2), write(forged));
  ASSERT_FALSE(answered.has_value());
  EXPECT_EQ(agent.selected(), path_of(1));
  EXPECT_EQ(agent.consent_end(), kStart + seconds(30));
}

TEST(Agent, AnyPeerMayCheckUntilItsDescriptionIsKnown) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), {.remote_ufrag = "first"});
  agent.set_remote_ufrag("cliU");
  EXPECT_EQ(refusal_of(agent, path_of(1), {.remote_ufrag = "first"}), DropReason::unknown_path);
  check(agent, kStart, path_of(1));
}

TEST(Agent, Rfc7675Section5_1AnyCheckOnTheSelectedPathRenewsConsent) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  EXPECT_EQ(agent.consent_end(), kStart + seconds(30));
  check(agent, kStart + seconds(5), path_of(1));
  EXPECT_EQ(agent.consent_end(), kStart + seconds(35));
}

TEST(Agent, Rfc7675ChecksOnAnotherPathDoNotRenewConsent) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  check(agent, kStart + seconds(2), path_of(2));
  EXPECT_EQ(agent.consent_end(), kStart + seconds(30));
}

TEST(Agent, RemembersSoManyPathsAndForgetsTheOldestUnused) {
  Agent agent(kLocal, {.paths = 3});
  check(agent, kStart, path_of(1), nominating());
  check(agent, kStart + milliseconds(1), path_of(2));
  const Answered third = check(agent, kStart + milliseconds(2), path_of(3));
  EXPECT_FALSE(third.outcome.forgotten.has_value());
  check(agent, kStart + milliseconds(3), path_of(2));

  const Answered fourth = check(agent, kStart + milliseconds(4), path_of(4));
  EXPECT_EQ(fourth.outcome.forgotten, path_of(3));
  EXPECT_EQ(agent.paths().size(), 3u);
  EXPECT_TRUE(agent.is_validated(path_of(1)));
  EXPECT_TRUE(agent.is_validated(path_of(2)));
  EXPECT_TRUE(agent.is_validated(path_of(4)));
}

TEST(Agent, RoomForASinglePathIsTheNewestOnes) {
  Agent agent(kLocal, {.paths = 1});
  check(agent, kStart, path_of(1), nominating());
  const Answered second = check(agent, kStart, path_of(2), nominating());
  EXPECT_EQ(second.outcome.forgotten, path_of(1));
  EXPECT_TRUE(second.outcome.selected);
  EXPECT_EQ(agent.selected(), path_of(2));
}

TEST(Agent, AClosedPathIsNotSentToAndTheNextCheckSelectsAnother) {
  Agent agent(kLocal);
  check(agent, kStart, path_of(1), nominating());
  check(agent, kStart, path_of(2));
  agent.forget(agent.paths()[0].path);
  EXPECT_FALSE(agent.selected().has_value());
  EXPECT_FALSE(agent.is_validated(path_of(1)));
  EXPECT_TRUE(agent.is_validated(path_of(2)));
  EXPECT_EQ(agent.consent_end(), kStart + seconds(30));
  EXPECT_TRUE(check(agent, kStart + milliseconds(1), path_of(2)).outcome.selected);
}

TEST(Agent, SplitsUserNames) {
  EXPECT_EQ(split_username("srvU:cliU")->local, "srvU");
  EXPECT_EQ(split_username("srvU:cliU")->remote, "cliU");
  EXPECT_EQ(split_username("a:b:c")->remote, "b:c");
  for (const char* text : {"", ":", "a:", ":b", "ab"}) {
    EXPECT_FALSE(split_username(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace runnel::ice
