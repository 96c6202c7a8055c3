// Real files and the real environment.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LoadFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "runnel-config-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  [[nodiscard]] static std::string with_key(const std::string& key) {
    return with_source("srtp: {suite: AES_CM_128_HMAC_SHA1_80, " + key +
                       ", media: {kind: video, payload_type: 96, codec: VP8/90000, listen: "
                       "\"0.0.0.0:5004\"}}");
  }

  fs::path folder_;
};

TEST_F(LoadFile, FindsKeyFilesBesideTheConfiguration) {
  fs::permissions(write("cam.key", kKey30 + "\n"), fs::perms::owner_read);
  const auto loaded = load_file(write("runnel.yaml", with_key("key_file: cam.key")));
  ASSERT_TRUE(loaded) << lines(loaded.error()).front();
  EXPECT_THAT(loaded->config.relays, SizeIs(1));
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST_F(LoadFile, WarnsOfAKeyThatOthersMayRead) {
  fs::permissions(write("cam.key", kKey30), fs::perms::owner_read | fs::perms::others_read);
  const auto loaded = load_file(write("runnel.yaml", with_key("key_file: cam.key")));
  ASSERT_TRUE(loaded) << lines(loaded.error()).front();
  EXPECT_THAT(lines(loaded->warnings), ElementsAre(HasSubstr("may read the key in 'cam.key'")));
}

TEST_F(LoadFile, AGroupThatOnlyReadsIsNoStranger) {
  fs::permissions(write("cam.key", kKey30), fs::perms::owner_read | fs::perms::group_read);
  const auto loaded = load_file(write("runnel.yaml", with_key("key_file: cam.key")));
  ASSERT_TRUE(loaded) << lines(loaded.error()).front();
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST_F(LoadFile, TakesAbsolutePathsAndTheEnvironment) {
  fs::permissions(write("cam.key", kKey30), fs::perms::owner_read);
  const std::string elsewhere = folder_ / "elsewhere";
  fs::create_directory(elsewhere);
  EXPECT_TRUE(load_file(
      write("elsewhere/runnel.yaml", with_key("key_file: " + (folder_ / "cam.key").string()))));
  setenv("RUNNEL_TEST_KEY", kKey30.c_str(), 1);
  EXPECT_TRUE(load_file(write("runnel.yaml", with_key("key: \"${RUNNEL_TEST_KEY}\""))));
  unsetenv("RUNNEL_TEST_KEY");
  EXPECT_FALSE(load_file(write("runnel.yaml", with_key("key: \"${RUNNEL_TEST_KEY}\""))));
}

TEST_F(LoadFile, FindsTlsFilesBesideTheConfigurationForWhoeverOpensThemLater) {
  write("server.pem", std::string(100'000, 'c'));  // however long the chain is
  fs::permissions(write("server.key", "key"), fs::perms::owner_read);
  const std::string absolute = (folder_ / "server.key").string();
  const auto loaded =
      load_file(write("runnel.yaml", "tls: {certificate: server.pem, key: " + absolute + "}"));
  ASSERT_TRUE(loaded) << lines(loaded.error()).front();
  EXPECT_THAT(loaded->warnings, IsEmpty());
  EXPECT_EQ(loaded->config.tls->certificate, (folder_ / "server.pem").string());
  EXPECT_EQ(loaded->config.tls->key, absolute);
}

TEST_F(LoadFile, SaysWhyAFileCannotBeRead) {
  const std::string missing = folder_ / "nothing.yaml";
  EXPECT_THAT(lines(load_file(missing).error()),
              ElementsAre(missing + ": cannot read the file: No such file or directory; name "
                                    "another with --config FILE"));
  EXPECT_THAT(lines(load_file(folder_).error()), ElementsAre(HasSubstr("it is a folder")));
  EXPECT_THAT(lines(load_file(write("runnel.yaml", with_key("key_file: ."))).error()),
              ElementsAre(HasSubstr("key_file: cannot read '.': it is a folder")));
}

TEST_F(LoadFile, ReadsNoMoreThanItTakes) {
  const std::string path = write("runnel.yaml", std::string(kMaxFileSize + 1, '#'));
  EXPECT_THAT(lines(load_file(path).error()), ElementsAre(HasSubstr("longer than 16 MiB")));
  EXPECT_THAT(lines(load_file("/dev/zero").error()), ElementsAre(HasSubstr("longer than")));
}

}  // namespace
}  // namespace runnel::config
