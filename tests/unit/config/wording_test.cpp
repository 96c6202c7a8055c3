// What problems quote, and what they suggest.
#include "config/wording.h"

#include <array>

#include <gtest/gtest.h>

#include "config/schema.h"

namespace runnel::config {
namespace {

constexpr std::array<std::string_view, 3> kColours{"red", "green", "dark_blue"};

TEST(Wording, QuotesWordsAndHidesWhatMayBeAKey) {
  EXPECT_EQ(quote("receiver.example.net:6000"), "'receiver.example.net:6000'");
  EXPECT_EQ(quote("a\nb\x1b"), "'a b '");
  EXPECT_EQ(quote("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHA=="), "(40 characters, not shown)");
  EXPECT_EQ(quote("key=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHA=="), "(44 characters, not shown)");
  EXPECT_EQ(quote(std::string(81, ' ')), "(81 characters, not shown)");
}

TEST(Wording, FindsTheNearestWord) {
  EXPECT_EQ(nearest("gren", kColours), "green");
  EXPECT_EQ(nearest("GREEN", kColours), "green");
  EXPECT_EQ(nearest("rde", kColours), "red");
  EXPECT_EQ(nearest("dark-blue", kColours), "dark_blue");
  EXPECT_EQ(nearest("darkblu", kColours), "dark_blue");
  EXPECT_EQ(nearest("dark", kColours), "dark_blue");
  EXPECT_EQ(nearest("yellow", kColours), "");
  EXPECT_EQ(nearest("", kColours), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'g'), kColours), "");
}

TEST(Wording, SuggestsTheNearestOrAll) {
  EXPECT_EQ(suggestion("gren", kColours), "did you mean 'green'?");
  EXPECT_EQ(suggestion("yellow", kColours), "use red, green or dark_blue");
}

TEST(Wording, KnowsPlaceholders) {
  for (const char* text : {"<key>", "YOUR_KEY", "your-host", "changeme", "CHANGE_ME",
                           "base64 of master key and salt", "...", "PLACEHOLDER"}) {
    EXPECT_TRUE(is_placeholder(text)) << text;
  }
  for (const char* text : {"yours.example.net", "AQIDBAUGBwgJ", "192.0.2.1"}) {
    EXPECT_FALSE(is_placeholder(text)) << text;
  }
}

TEST(Wording, SendsAnUnknownKeyHome) {
  EXPECT_EQ(advice_for_unknown_key("payload_typ", kSourceMediumSchema),
            "did you mean 'payload_type'?");
  EXPECT_EQ(advice_for_unknown_key("suite", kRtpReceiverSchema), "it belongs in to.srtp");
  EXPECT_EQ(advice_for_unknown_key("suite", kRtpSourceSchema), "it belongs in from.srtp");
  EXPECT_EQ(advice_for_unknown_key("level", kRootSchema), "it belongs in log");
  EXPECT_EQ(advice_for_unknown_key("zebra", kListenSchema), "known here: media or signalling");
}

}  // namespace
}  // namespace runnel::config
