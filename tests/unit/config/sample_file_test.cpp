// config/runnel.yaml is what it says: every key, every default, and examples that load.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "config/schema.h"
#include "load.h"

namespace runnel::config {
namespace {

using testing::Each;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kSampleFile = RUNNEL_SOURCE_DIR "/config/runnel.yaml";

std::string sample() {
  std::ifstream stream(kSampleFile);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

std::vector<SocketAddress> addresses(const std::vector<Listen>& listeners) {
  std::vector<SocketAddress> result;
  for (const Listen& listen : listeners) result.push_back(listen.address);
  return result;
}

/// The examples: what is commented out behind `relays:`.
std::string examples() {
  const std::string text = sample();
  return std::regex_replace(text.substr(text.find("\nrelays:") + 1), std::regex("\n#"), "\n");
}

TEST(SampleFile, LoadsAndEqualsTheCompiledDefaults) {
  const auto loaded = load_file(kSampleFile);
  ASSERT_TRUE(loaded) << lines(loaded.error()).front();
  EXPECT_THAT(loaded->warnings, IsEmpty());
  const Config& file = loaded->config;
  const Config defaults;
  EXPECT_THAT(addresses(file.media), ElementsAreArray(addresses(defaults.media)));
  EXPECT_THAT(addresses(file.signalling), ElementsAreArray(addresses(defaults.signalling)));
  EXPECT_EQ(file.announce, defaults.announce);
  EXPECT_EQ(file.log.level, defaults.log.level);
  EXPECT_EQ(file.log.format, defaults.log.format);
  EXPECT_EQ(file.log.statistics_interval, defaults.log.statistics_interval);
  EXPECT_EQ(file.limits, defaults.limits);
  EXPECT_THAT(file.relays, IsEmpty());
}

TEST(SampleFile, SpellsEveryDefaultOut) {
  // A value that the file left out would equal the default all the same.
  const std::string text = sample();
  for (const Schema& schema : {kListenSchema, kLogSchema, kLimitsSchema}) {
    for (const std::string_view key : schema.keys) {
      EXPECT_THAT(text, HasSubstr("\n  " + std::string(key) + ": ")) << schema.place;
    }
  }
  for (const std::string_view key : kRootSchema.keys) {
    EXPECT_THAT(text, HasSubstr("\n" + std::string(key) + ":"));
  }
}

TEST(SampleFile, HoldsEveryKeyThatTheLoaderKnows) {
  const std::string text = sample();
  for (const Schema& schema : kSchemas) {
    for (const std::string_view key : schema.keys) {
      const std::regex written("[ {\n#`]" + std::string(key) + ":[ \n]");
      EXPECT_TRUE(std::regex_search(text, written)) << key << " of " << schema.place;
    }
  }
}

TEST(SampleFile, ItsExamplesLoad) {
  Fake fake;
  fake.environment = {{"CAMERA_KEY", kKey30}, {"REPLY_KEY", kOtherKey30}};
  fake.files = {{"receiver.key", kKey28},
                {"roaming.key", kOtherKey30},
                {"out.key", kKey30},
                {"studio-old.key", kKey30},
                {"studio-new.key", kOtherKey30}};
  const Loaded loaded = load(examples(), fake);
  ASSERT_THAT(loaded.config.relays, SizeIs(2));
  EXPECT_THAT(loaded.config.relays[0].to, SizeIs(3));
  EXPECT_EQ(loaded.config.relays[1].to.at(0).media.at(0).payload_type, 120);
}

}  // namespace
}  // namespace runnel::config
