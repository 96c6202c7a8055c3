#include "core/http/header_list.h"

#include <gtest/gtest.h>

namespace runnel::http {
namespace {

const HeaderList kHeaders{
    {"Accept", "text/html"}, {"X-List", "a, B ,"}, {"x-list", "\tc"}, {"Empty", ""}};

TEST(HeaderList, FindsWithoutRegardToCase) {
  EXPECT_EQ(kHeaders.find("ACCEPT"), "text/html");
  EXPECT_EQ(kHeaders.find("x-LIST"), "a, B ,");
  EXPECT_EQ(kHeaders.find("Empty"), "");
  EXPECT_EQ(kHeaders.find("Accep"), std::nullopt);
  EXPECT_EQ(kHeaders.count("X-List"), 2u);
  EXPECT_FALSE(kHeaders.contains("Missing"));
}

TEST(HeaderList, CombinesFieldsAsRfc9110Section53Says) {
  EXPECT_EQ(kHeaders.combined("X-List"), "a, B ,, \tc");
  EXPECT_EQ(kHeaders.combined("Missing"), "");
  EXPECT_EQ((HeaderList{{"A", ""}, {"A", "x"}}).combined("a"), ", x");
}

TEST(HeaderList, FindsWholeItemsOfLists) {
  EXPECT_TRUE(kHeaders.has_token("X-List", "A"));
  EXPECT_TRUE(kHeaders.has_token("X-List", "b"));
  EXPECT_TRUE(kHeaders.has_token("X-List", "c"));
  EXPECT_FALSE(kHeaders.has_token("Accept", "text"));
  EXPECT_FALSE(kHeaders.has_token("Missing", "a"));
}

TEST(HeaderList, KnowsTokensOfRfc9110Section562) {
  EXPECT_TRUE(is_token("!#$%&'*+-.^_`|~09azAZ"));
  EXPECT_FALSE(is_token(""));
  using namespace std::string_view_literals;
  for (const char c : "\0 \t()<>@,;:\\\"/[]?={}\x7F\x80\xFF"sv) EXPECT_FALSE(is_token({&c, 1}));
}

}  // namespace
}  // namespace runnel::http
