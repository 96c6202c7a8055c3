// RFC 6750 §2.1.
#include "core/auth/bearer.h"

#include <gtest/gtest.h>

namespace runnel::auth {
namespace {

TEST(Bearer, IsTheTokenBehindTheScheme) {
  EXPECT_EQ(bearer_token("Bearer mF_9.B5f-4.1JqM"), "mF_9.B5f-4.1JqM");
  EXPECT_EQ(bearer_token("bEaReR abc+/~=="), "abc+/~==");
  EXPECT_EQ(bearer_token("Bearer   abc"), "abc");
}

TEST(Bearer, NothingElseIsOne) {
  for (const char* other :
       {"", "Bearer", "Bearer ", "Basic YTpi", "Bearerabc", "Bear er", "Bearer a b", "Bearer a=b",
        "Bearer =", "Bearer \"abc\"", "Bearer a,b", "Bearer\tabc"}) {
    EXPECT_FALSE(bearer_token(other)) << other;
  }
}

}  // namespace
}  // namespace runnel::auth
