// What a grant covers.
#include "core/auth/permissions.h"

#include <gtest/gtest.h>

namespace runnel::auth {
namespace {

TEST(StreamPattern, AStarStandsForAnyCharactersOrNone) {
  struct Case {
    const char* pattern;
    const char* stream;
    bool fits;
  };
  const Case cases[] = {
      {"cam-1", "cam-1", true},
      {"cam-1", "cam-12", false},
      {"cam-1", "cam-", false},
      {"cam-1", "Cam-1", false},
      {"*", "", true},
      {"*", "anything", true},
      {"cam-*", "cam-", true},
      {"cam-*", "cam-front", true},
      {"cam-*", "cam", false},
      {"cam-*", "a-cam-1", false},
      {"*-low", "front-low", true},
      {"*-low", "front-low-2", false},
      {"*-low", "a-low-low", true},
      {"a*b*c", "abc", true},
      {"a*b*c", "a-b-b-c", true},
      {"a*b*c", "a-b-b", false},
      {"a**b", "ab", true},
      {"a**b", "a.b", true},
      {"*a*", "banana", true},
      {"*x*", "banana", false},
      {"", "", true},
      {"", "a", false},
      {"a*", "", false},
      {"*aab", "aaaaaaab", true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(matches(c.pattern, c.stream), c.fits) << c.pattern << " " << c.stream;
  }
}

TEST(StreamPattern, ManyStarsTakeNoLongTime) {
  // By trying every way to spread the characters over the stars, this would take for ever.
  std::string pattern;
  for (int i = 0; i < 31; ++i) pattern += "a*";
  EXPECT_FALSE(matches(pattern + "b", std::string(64, 'a')));
  EXPECT_TRUE(matches(pattern, std::string(64, 'a')));
}

TEST(StreamPattern, IsOfTheCharactersOfAStreamsNameAndStars) {
  EXPECT_TRUE(is_stream_pattern("cam-*_1.low"));
  EXPECT_TRUE(is_stream_pattern(std::string(64, 'a')));
  EXPECT_FALSE(is_stream_pattern(std::string(65, 'a')));
  for (const char* bad : {"", "a b", "cam/*", "cam?", "[ab]", "ä"}) {
    EXPECT_FALSE(is_stream_pattern(bad)) << bad;
  }
}

TEST(Permissions, AllowNothingByDefault) {
  const Permissions none;
  for (const Action action : kActions) {
    EXPECT_FALSE(none.allows(action, "cam"));
    EXPECT_FALSE(none.allows_anywhere(action));
  }
  EXPECT_FALSE(none.may_take_over("cam"));
}

TEST(Permissions, EachGrantHoldsForItsOwnStreams) {
  const Permissions some{{{ActionSet(Action::publish), {"cam-*", "studio"}},
                          {ActionSet(Action::subscribe, Action::watch), {"*-public"}}},
                         false};
  EXPECT_TRUE(some.allows(Action::publish, "cam-1"));
  EXPECT_TRUE(some.allows(Action::publish, "studio"));
  EXPECT_FALSE(some.allows(Action::publish, "radio-public"));
  EXPECT_TRUE(some.allows(Action::subscribe, "radio-public"));
  EXPECT_TRUE(some.allows(Action::watch, "radio-public"));
  EXPECT_FALSE(some.allows(Action::subscribe, "cam-1"));
  EXPECT_FALSE(some.allows(Action::admin, "cam-1"));
  EXPECT_TRUE(some.allows_anywhere(Action::watch));
  EXPECT_FALSE(some.allows_anywhere(Action::admin));
}

TEST(Permissions, AdminImpliesEverythingOnItsStreams) {
  const Permissions admin{{{ActionSet(Action::admin), {"cam-*"}}}, false};
  for (const Action action : kActions) {
    EXPECT_TRUE(admin.allows(action, "cam-1"));
    EXPECT_FALSE(admin.allows(action, "studio"));
    EXPECT_TRUE(admin.allows_anywhere(action));
  }
  EXPECT_TRUE(admin.may_take_over("cam-1"));
  EXPECT_FALSE(admin.may_take_over("studio"));
}

TEST(Permissions, TakingOverNeedsThePermissionToPublishAsWell) {
  const Permissions taker{
      {{ActionSet(Action::publish), {"cam-*"}}, {ActionSet(Action::subscribe), {"*"}}}, true};
  EXPECT_TRUE(taker.may_take_over("cam-1"));
  EXPECT_FALSE(taker.may_take_over("studio"));
}

TEST(Permissions, EverythingIsEverything) {
  const Permissions all = Permissions::everything();
  for (const Action action : kActions) EXPECT_TRUE(all.allows(action, "any.stream"));
  EXPECT_TRUE(all.may_take_over("any.stream"));
}

}  // namespace
}  // namespace runnel::auth
