#include "core/ice/credentials.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace runnel::ice {
namespace {

class SeededRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(engine_());
  }

 private:
  std::mt19937 engine_{7};
};

TEST(Credentials, AreDrawnAsPeersMayUseThemAndNeverTwice) {
  SeededRandom random;
  std::set<std::string> ufrags;
  std::set<std::string> passwords;
  std::set<char> letters;
  for (int i = 0; i < 1000; ++i) {
    const Credentials drawn = draw_credentials(random);
    EXPECT_TRUE(is_valid(drawn));
    EXPECT_EQ(drawn.ufrag.size(), 8u);
    EXPECT_EQ(drawn.password.size(), 24u);
    letters.insert(drawn.password.begin(), drawn.password.end());
    ufrags.insert(drawn.ufrag);
    passwords.insert(drawn.password);
  }
  EXPECT_EQ(ufrags.size(), 1000u);
  EXPECT_EQ(passwords.size(), 1000u);
  EXPECT_EQ(letters.size(), 64u);
}

TEST(Credentials, Rfc8839Section5_4Lengths) {
  const auto valid = [](std::size_t ufrag, std::size_t password) {
    return is_valid({std::string(ufrag, 'u'), std::string(password, 'p')});
  };
  EXPECT_TRUE(valid(4, 22));
  EXPECT_TRUE(valid(256, 256));
  EXPECT_FALSE(valid(3, 22));
  EXPECT_FALSE(valid(4, 21));
  EXPECT_FALSE(valid(257, 22));
  EXPECT_FALSE(valid(4, 257));
}

TEST(Credentials, Rfc8839Section5_4Characters) {
  EXPECT_TRUE(is_valid({"aZ09+/", std::string(22, '/')}));
  for (const char c : {':', '-', ' ', '=', '\0', '\n', '\x80'}) {
    EXPECT_FALSE(is_valid({std::string("abcd") + c, std::string(22, 'p')})) << c;
    EXPECT_FALSE(is_valid({"abcd", std::string(22, 'p') + c})) << c;
  }
}

}  // namespace
}  // namespace runnel::ice
