// YAML as a tree: lines, duplicates, anchors, and texts that mean harm.
#include "config/yaml_document.h"

#include <string>

#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(YamlDocument, TellsTheLineOfASyntaxError) {
  EXPECT_THAT(errors_of("log: {level: info}\nlimits: {relays: 5\nannounce: x\n"),
              ElementsAre(HasSubstr("test.yaml:3: not valid YAML: ")));
}

TEST(YamlDocument, RefusesDuplicateKeysAndNamesBothLines) {
  EXPECT_THAT(
      errors_of("log: {level: info}\nlimits:\n  relays: 1\n  relays: 2\nlog: {}\n"),
      ElementsAre("test.yaml:4: duplicate key 'relays', first given in line 3; keep one of "
                  "the two",
                  "test.yaml:5: duplicate key 'log', first given in line 1; keep one of the "
                  "two"));
}

TEST(YamlDocument, FollowsAnchorsAndAliases) {
  const Loaded loaded = load("limits: {receive_buffer: &size 1MiB, send_buffer: *size}");
  EXPECT_EQ(loaded.config.limits.receive_buffer, 1024u * 1024);
  EXPECT_EQ(loaded.config.limits.send_buffer, 1024u * 1024);
}

TEST(YamlDocument, MergesMappingsAndTheirOwnKeysGoFirst) {
  const Loaded loaded = load(
      with_receivers("      - srtp: &leg {suite: AES_CM_128_HMAC_SHA1_80, key: " + kKey30 +
                     ", media: {kind: video, send: \"10.0.0.1:6000\"}}\n"
                     "      - srtp: {<<: *leg, media: {kind: video, send: \"10.0.0.2:6000\"}}\n"));
  ASSERT_THAT(loaded.config.relays, SizeIs(1));
  ASSERT_THAT(loaded.config.relays[0].to, SizeIs(2));
  EXPECT_EQ(loaded.config.relays[0].to[0].media[0].send->to_string(), "10.0.0.1:6000");
  EXPECT_EQ(loaded.config.relays[0].to[1].media[0].send->to_string(), "10.0.0.2:6000");
  EXPECT_TRUE(loaded.config.relays[0].to[1].srtp.has_value());
}

TEST(YamlDocument, RefusesWhatAMergeCannotMean) {
  EXPECT_THAT(errors_of("log: {<<: 5}"), ElementsAre(HasSubstr("'<<' merges something")));
}

TEST(YamlDocument, RefusesAnAliasBombQuickly) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below +
            repeated(", " + below, 9) + "]\n";
  }
  EXPECT_THAT(errors_of(bomb), ElementsAre(HasSubstr("test.yaml:6: aliases blow the file up")));
}

TEST(YamlDocument, RefusesAnAliasOfWhatItIsIn) {
  EXPECT_THAT(errors_of("log: &log {level: *log}"),
              ElementsAre(HasSubstr("an alias inside of what it stands for")));
  EXPECT_THAT(errors_of("log: *nobody"), ElementsAre(HasSubstr("test.yaml:1: not valid YAML")));
}

TEST(YamlDocument, NestsUpToItsLimitAndNotDeeper) {
  const auto nested = [](std::size_t depth) {
    ProblemList problems("test.yaml");
    const std::string text = repeated("- ", depth) + "x";
    return yaml::Document::parse(text, problems).has_value();
  };
  EXPECT_TRUE(nested(yaml::kMaxDepth));
  EXPECT_FALSE(nested(yaml::kMaxDepth + 1));
}

TEST(YamlDocument, SurvivesNestingOfTheWholeFile) {
  for (const std::string& piece : {std::string("["), std::string("{a: "), std::string("- "),
                                   std::string("? "), std::string("- ? "), std::string("&a ")}) {
    EXPECT_THAT(errors_of(repeated(piece, 200'000 / piece.size())), SizeIs(1)) << piece;
  }
}

TEST(YamlDocument, ReadsAFileOfTheGreatestSizeAndNoneLonger) {
  const std::string text = "log: {level: debug}\n#";
  const std::string fits = text + std::string(kMaxFileSize - text.size(), 'x');
  EXPECT_EQ(load(fits).config.log.level, LogLevel::debug);
  EXPECT_THAT(errors_of(fits + "x"),
              ElementsAre("test.yaml: the file is longer than 16 MiB; is this the right file?"));
}

TEST(YamlDocument, RefusesWhatIsNoText) {
  EXPECT_THAT(errors_of("log:\n  level: \xff\n"),
              ElementsAre(HasSubstr("test.yaml:2: this is not UTF-8 text")));
  EXPECT_THAT(errors_of(std::string("log: {}\0", 8)), ElementsAre(HasSubstr("not UTF-8")));
  EXPECT_THAT(errors_of("# \xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xa5\n"), IsEmpty());
  EXPECT_THAT(errors_of("# \xed\xa0\x80\n"), SizeIs(1)) << "a surrogate";
  EXPECT_THAT(errors_of("# \xc0\xaf\n"), SizeIs(1)) << "an overlong form";
}

TEST(YamlDocument, RefusesASecondDocument) {
  EXPECT_THAT(errors_of("log: {}\n---\nlog: {}\n"),
              ElementsAre("test.yaml:3: a second YAML document begins here; remove the line '---' "
                          "before it"));
}

TEST(YamlDocument, RefusesTagsAndComplexKeys) {
  EXPECT_THAT(errors_of("log: !include other.yaml"), ElementsAre(HasSubstr("'!include'")));
  EXPECT_THAT(errors_of("? [log]\n: x\n"), ElementsAre(HasSubstr("a key must be a plain word")));
  EXPECT_THAT(errors_of("limits: {relays: !!int 5}"), IsEmpty());
}

TEST(YamlDocument, AnEmptyFileMeansTheDefaults) {
  EXPECT_THAT(errors_of(""), IsEmpty());
  EXPECT_THAT(errors_of("# nothing yet\n"), IsEmpty());
  EXPECT_THAT(errors_of("---\n"), IsEmpty());
  EXPECT_THAT(errors_of("hello"), ElementsAre(HasSubstr("test.yaml:1: is a single value")));
}

}  // namespace
}  // namespace runnel::config
