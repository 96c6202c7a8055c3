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

/// The examples of one part: what is commented out behind `key`, up to the next line without '#'.
std::string examples(const std::string& key) {
  const std::string text = sample();
  const std::size_t begin = text.find("\n" + key + ":") + 1;
  std::string part = text.substr(begin, text.find("\n\n", text.find("\n#", begin)) + 1 - begin);
  if (key == "relays") part = text.substr(begin);
  return std::regex_replace(part, std::regex("\n#"), "\n");
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
  EXPECT_EQ(file.signalling_settings, defaults.signalling_settings);
  EXPECT_EQ(file.webrtc.enabled, defaults.webrtc.enabled);
  EXPECT_EQ(file.webrtc.ice_tcp, defaults.webrtc.ice_tcp);
  EXPECT_FALSE(file.webrtc.certificate);
  EXPECT_EQ(file.webrtc.ice_servers, defaults.webrtc.ice_servers);
  EXPECT_EQ(file.webrtc.publisher_bitrate, defaults.webrtc.publisher_bitrate);
  EXPECT_FALSE(file.auth.is_configured);
  EXPECT_FALSE(file.tls);
  EXPECT_THAT(file.relays, IsEmpty());
}

TEST(SampleFile, SpellsEveryDefaultOut) {
  // A value that the file left out would equal the default all the same.
  const std::string text = sample();
  for (const Schema& schema : {kListenSchema, kSignallingSchema, kLogSchema, kLimitsSchema}) {
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
  const Loaded loaded = load(examples("relays"), fake);
  ASSERT_THAT(loaded.config.relays, SizeIs(2));
  EXPECT_THAT(loaded.config.relays[0].to, SizeIs(3));
  EXPECT_EQ(loaded.config.relays[1].to.at(0).media.at(0).payload_type, 120);
}

TEST(SampleFile, ItsExamplesOfAccessLoad) {
  Fake fake;
  fake.environment = {{"CAMERA_TOKEN", "a-token-of-the-camera"},
                      {"JWT_SECRET", std::string(32, 's')}};
  fake.files = {{"fullchain.pem", "certificate"},
                {"privkey.pem", "key"},
                {"viewer.token", "a-token-of-the-viewer"},
                {"issuer.pem", kEcPublicKey}};
  const Loaded loaded = load(examples("tls") + examples("auth"), fake);
  EXPECT_THAT(loaded.warnings, IsEmpty());
  ASSERT_TRUE(loaded.config.tls);
  EXPECT_EQ(loaded.config.tls->key, "privkey.pem");
  EXPECT_THAT(loaded.config.auth.settings.tokens, SizeIs(2));
  EXPECT_THAT(loaded.config.auth.settings.jwt.keys, SizeIs(2));
}

}  // namespace
}  // namespace runnel::config
