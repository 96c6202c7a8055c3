// ICE restart (RFC 8445 §9): the old credentials hold until the first check under the new ones.
#include <gtest/gtest.h>

#include "tests/unit/core/ice/full_agent.h"

namespace runnel::ice {
namespace {

using std::chrono::seconds;

constexpr Timestamp kStart{seconds(1000)};
const Credentials kThird{.ufrag = "thrd", .password = "thirdpasswordthirdpasswd"};

Agent connected_agent() {
  Agent agent(kLocal);
  agent.set_remote_ufrag("cliU");
  check(agent, kStart, path_of(1), nominating());
  return agent;
}

TEST(Restart, ThePathAndTheOldCredentialsHoldMeanwhile) {
  Agent agent = connected_agent();
  EXPECT_EQ(agent.restart(kRestarted), std::nullopt);
  EXPECT_EQ(agent.local(), kRestarted);
  EXPECT_TRUE(agent.accepts(kLocal.ufrag));
  EXPECT_TRUE(agent.accepts(kRestarted.ufrag));
  EXPECT_EQ(agent.selected(), path_of(1));

  const Answered old = check(agent, kStart + seconds(5), path_of(1));
  EXPECT_TRUE(old.view().is_authentic(stun::integrity_key(kLocal.password)));
  EXPECT_FALSE(old.outcome.retired_ufrag.has_value());
  EXPECT_EQ(agent.consent_end(), kStart + seconds(35));
}

TEST(Restart, TheFirstCheckUnderTheNewCredentialsEndsTheOld) {
  Agent agent = connected_agent();
  agent.restart(kRestarted);
  const Answered first = check(agent, kStart + seconds(1), path_of(2), under(kRestarted));
  EXPECT_TRUE(first.view().is_authentic(stun::integrity_key(kRestarted.password)));
  EXPECT_EQ(first.outcome.retired_ufrag, kLocal.ufrag);
  EXPECT_FALSE(agent.accepts(kLocal.ufrag));
  EXPECT_EQ(refusal_of(agent, path_of(1), nominating()), DropReason::unknown_path);
  // Media stays where it was until the new nomination.
  EXPECT_EQ(agent.selected(), path_of(1));
  EXPECT_TRUE(
      check(agent, kStart + seconds(1), path_of(2), under(kRestarted, true)).outcome.selected);
  EXPECT_FALSE(check(agent, kStart + seconds(1), path_of(2), under(kRestarted))
                   .outcome.retired_ufrag.has_value());
}

TEST(Restart, AForgedOrRefusedCheckDoesNotEndTheOld) {
  Agent agent = connected_agent();
  agent.restart(kRestarted);
  Check forged = under(kRestarted);
  forged.password = kLocal.password;
  EXPECT_EQ(refusal_of(agent, path_of(2), forged), DropReason::authentication_failed);
  Check controlled = under(kRestarted);
  controlled.role = Role::controlled;
  EXPECT_EQ(check(agent, kStart, path_of(2), controlled).error(), stun::ErrorCode::role_conflict);
  EXPECT_TRUE(agent.accepts(kLocal.ufrag));
}

TEST(Restart, ThePeersNewFragmentIsExpectedUnderTheNewCredentialsOnly) {
  Agent agent = connected_agent();
  agent.restart(kRestarted);
  agent.set_remote_ufrag("next");
  Check mixed = nominating();
  mixed.remote_ufrag = "next";
  EXPECT_EQ(refusal_of(agent, path_of(1), mixed), DropReason::unknown_path);
  check(agent, kStart, path_of(1));
  EXPECT_EQ(refusal_of(agent, path_of(1), under(kRestarted)), DropReason::unknown_path);
  Check renewed = under(kRestarted);
  renewed.remote_ufrag = "next";
  check(agent, kStart, path_of(1), renewed);
}

TEST(Restart, AnotherOneBeforeAnyCheckGivesUpTheCredentialsThatNobodyUsed) {
  Agent agent = connected_agent();
  agent.restart(kRestarted);
  EXPECT_EQ(agent.restart(kThird), kRestarted.ufrag);
  EXPECT_FALSE(agent.accepts(kRestarted.ufrag));
  check(agent, kStart, path_of(1));
  EXPECT_EQ(check(agent, kStart, path_of(1), under(kThird)).outcome.retired_ufrag, kLocal.ufrag);
}

}  // namespace
}  // namespace runnel::ice
