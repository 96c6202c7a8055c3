// SRTP keys: where they come from, and that no message ever holds one.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// `leg` is the inside of `srtp: {...}` up to the media.
std::string source(const std::string& leg) {
  return with_source("srtp: {" + leg +
                     ", media: {kind: video, payload_type: 96, codec: VP8/90000, listen: "
                     "\"0.0.0.0:5004\"}}");
}

std::string cm80(const std::string& rest) {
  return source("suite: AES_CM_128_HMAC_SHA1_80, " + rest);
}

std::vector<std::uint8_t> bytes(ByteView view) {
  return {view.begin(), view.end()};
}

const Srtp& srtp_of(const Loaded& loaded) {
  return *loaded.config.relays.at(0).from.srtp;
}

const std::vector<std::uint8_t> kKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
const std::vector<std::uint8_t> kSalt{17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};

TEST(Keys, StandInTheFileInAnotherFileOrInTheEnvironment) {
  Fake fake;
  fake.files["cam.key"] = "  " + kKey30 + "\r\n\n";
  fake.environment["CAM_KEY"] = kKey30 + "\n";
  for (const std::string& rest :
       {"key: " + kKey30, std::string("key_file: cam.key"), std::string("key: \"${CAM_KEY}\""),
        "key: \"inline:" + kKey30 + "\"", "keys: [{key: " + kKey30 + "}]",
        std::string("keys: {key_file: cam.key}")}) {
    const Loaded loaded = load(cm80(rest), fake);
    ASSERT_THAT(loaded.config.relays, SizeIs(1)) << rest;
    ASSERT_THAT(srtp_of(loaded).keys, SizeIs(1)) << rest;
    EXPECT_EQ(bytes(srtp_of(loaded).keys[0].key()), kKey) << rest;
    EXPECT_EQ(bytes(srtp_of(loaded).keys[0].salt()), kSalt) << rest;
    EXPECT_THAT(srtp_of(loaded).reply_keys, IsEmpty());
    EXPECT_THAT(loaded.warnings, IsEmpty());
  }
}

TEST(Keys, EverySuiteTakesItsOwnLength) {
  const std::pair<const char*, std::size_t> suites[] = {
      {"AES_CM_128_HMAC_SHA1_80", 30}, {"AES_CM_128_HMAC_SHA1_32", 30},
      {"AES_256_CM_HMAC_SHA1_80", 46}, {"AES_256_CM_HMAC_SHA1_32", 46},
      {"AEAD_AES_128_GCM", 28},        {"AEAD_AES_256_GCM", 44}};
  const std::pair<std::size_t, std::string> keys[] = {{28, kKey28},
                                                      {30, kKey30},
                                                      {44, std::string(59, 'A') + "="},
                                                      {46, std::string(62, 'A') + "=="},
                                                      {29, std::string(39, 'A') + "="}};
  for (const auto& [suite, needed] : suites) {
    for (const auto& [given, key] : keys) {
      const auto errors =
          errors_of(source(std::string("suite: ") + suite + ", key: \"" + key + "\""));
      if (given == needed) {
        EXPECT_THAT(errors, IsEmpty()) << suite;
        continue;
      }
      EXPECT_THAT(errors, ElementsAre(AllOf(
                              HasSubstr(std::string(suite) + " needs " + std::to_string(needed) +
                                        " bytes of key and salt, but " + std::to_string(given) +
                                        " bytes are given"),
                              HasSubstr("openssl rand -base64 " + std::to_string(needed)),
                              Not(HasSubstr(key.substr(0, 8))))))
          << suite;
    }
  }
}

TEST(Keys, AWrongLengthNamesTheSuitesThatItFits) {
  EXPECT_THAT(
      errors_of(source("suite: AEAD_AES_128_GCM, key: " + kKey30)),
      ElementsAre(HasSubstr("30 bytes fit AES_CM_128_HMAC_SHA1_80 or AES_CM_128_HMAC_SHA1_32")));
}

TEST(Keys, SaysWhatToWriteInstead) {
  Fake fake;
  fake.environment["EMPTY"] = " ";
  fake.files["empty.key"] = "\n";
  fake.files["long.key"] = std::string(5000, 'A');
  const std::string hex = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e";
  const std::pair<std::string, const char*> cases[] = {
      {"key: \"base64 of master key and salt\"", "key: the key is a placeholder; put your own"},
      {"key: \"<key>\"", "the key is a placeholder"},
      {"key: \"AQID*\"", "the key is not base64"},
      {"key: " + kKey30.substr(0, 37), "the key is not base64, or its end is cut off"},
      {"key: " + hex, "the key is written in hexadecimal; write it in base64: xxd -r -p"},
      {"key: \"inline:" + kKey30 + "|2^20|1:4\"", "write the base64 before the first '|' alone"},
      {"key: \"${NOPE}\"", "the environment variable 'NOPE' is not set; set it where runneld"},
      {"key: \"${EMPTY}\"", "the environment variable 'EMPTY' is empty"},
      {"key: \"${" + kKey30 + "}\"", "the environment variable (40 characters, not shown) is not"},
      {"key: \"${NOPE\"", "write ${NAME}, and nothing before or behind it"},
      {"key: \"${A-B}\"", "write ${NAME}, and nothing before or behind it"},
      {"key_file: nope.key", "key_file: cannot read 'nope.key': No such file or directory; name"},
      {"key_file: empty.key", "the file 'empty.key' is empty; it has to hold one key"},
      {"key_file: long.key", "the file 'long.key' is too long for a key"},
      {"key_file: \"${KEY}\"", "environment variables are understood in 'key' alone"},
      {"key_file: " + kKey30, "key_file: holds a key instead of a file's name; write it as 'key'"},
      {"key: " + kKey30 + ", key_file: a.key", "key_file: stands beside 'key'; keep one"},
      {"keys: [{key: " + kKey30 + "}], mki: 01", "mki: stands beside 'keys'"},
      {"keys: []", "keys: has 0 keys; give 1 to 16"},
      {"mki: 01", "srtp: no key is given; add 'key' or 'key_file'"},
      {"key: " + kKey30 + ", mki: 1", "mki: '1' is no key identifier; write 1 to 32 bytes"},
      {"key: " + kKey30 + ", reply_key: AQID", "reply_key: AES_CM_128_HMAC_SHA1_80 needs 30 bytes"},
      {"keys: [{key: " + kKey30 + ", mki: 01}, {key: " + kOtherKey30 + "}]", "one has none"},
      {"keys: [{key: " + kKey30 + ", mki: 01}, {key: " + kOtherKey30 + ", mki: 0001}]",
       "keys: the MKIs differ in length"},
      {"keys: [{key: " + kKey30 + ", mki: 01}, {key: " + kOtherKey30 + ", mki: 0x01}]",
       "keys: two keys have the same MKI; give each key its own"},
  };
  for (const auto& [rest, expected] : cases) {
    EXPECT_THAT(
        errors_of(cm80(rest), fake),
        ElementsAre(AllOf(HasSubstr("test.yaml:4: relays[0].from.srtp"), HasSubstr(expected),
                          Not(HasSubstr(kKey30)), Not(HasSubstr(hex)))))
        << rest;
  }
}

TEST(Keys, SuitesHaveADidYouMean) {
  EXPECT_THAT(
      errors_of(source("key: " + kKey30)),
      ElementsAre(HasSubstr("srtp: 'suite' is missing; add one of AES_CM_128_HMAC_SHA1_80, ")));
  EXPECT_THAT(errors_of(source("suite: AES_CM_128_SHA1_80, key: " + kKey30)),
              ElementsAre(HasSubstr("did you mean 'AES_CM_128_HMAC_SHA1_80'?")));
  EXPECT_THAT(errors_of(source("suite: SRTP_AES128_CM_HMAC_SHA1_80, key: " + kKey30)), IsEmpty());
}

TEST(Keys, AKeyInAWrongPlaceIsNeverRepeated) {
  for (const std::string& rest :
       {"suite: " + kKey30 + ", key: x", kKey30 + ": ",
        "suite: AES_CM_128_HMAC_SHA1_80, mki: " + kKey30,
        "suite: AES_CM_128_HMAC_SHA1_80, keys: [" + kKey30 + "]",
        "suite: AES_CM_128_HMAC_SHA1_80, key: " + kKey30 + ", allow: " + kKey30,
        "suite: AES_CM_128_HMAC_SHA1_80, key: {" + kKey30 + ": x}",
        "suite: AES_CM_128_HMAC_SHA1_80, key: [" + kKey30 + "]",
        "suite: AES_CM_128_HMAC_SHA1_80, key: " + kKey30 + "=" + kKey30}) {
    const auto errors = errors_of(source(rest));
    EXPECT_THAT(errors, Not(IsEmpty())) << rest;
    EXPECT_THAT(errors, Each(Not(HasSubstr(kKey30.substr(0, 10))))) << rest;
  }
}

TEST(Keys, SeveralAreToldApartByMki) {
  const Loaded loaded =
      load(cm80("keys: [{key: " + kKey30 + ", mki: \"0x0001\"}, {key: " + kOtherKey30 +
                ", mki: \"0002\"}], reply_key: " + kOtherKey30));
  ASSERT_THAT(srtp_of(loaded).keys, SizeIs(2));
  EXPECT_THAT(bytes(srtp_of(loaded).keys[0].mki()), ElementsAre(0, 1));
  EXPECT_THAT(bytes(srtp_of(loaded).keys[1].mki()), ElementsAre(0, 2));
  ASSERT_THAT(srtp_of(loaded).reply_keys, SizeIs(1));
  EXPECT_TRUE(srtp_of(loaded).reply_keys[0].same_key(srtp_of(loaded).keys[1]));
  EXPECT_THAT(bytes(srtp_of(loaded).reply_keys[0].mki()), ElementsAre(0, 1));
}

TEST(Keys, AListHasALimit) {
  const auto keys = [](int count) {
    std::string list = "keys: [";
    for (int i = 0; i < count; ++i) {
      list += "{key: " + kKey30 + ", mki: \"" + std::to_string(10 + i) + "\"}, ";
    }
    return cm80(list + "]");
  };
  EXPECT_THAT(errors_of(keys(16)), IsEmpty());
  EXPECT_THAT(errors_of(keys(17)), ElementsAre(HasSubstr("has 17 keys; give 1 to 16")));
}

TEST(Keys, AFileThatOthersMayReadIsAWarning) {
  Fake fake;
  fake.files["cam.key"] = kKey30;
  fake.files_are_open = true;
  EXPECT_THAT(warnings_of(cm80("key_file: cam.key"), fake),
              ElementsAre(AllOf(HasSubstr("key_file: other users of this machine may read"),
                                HasSubstr("chmod go-rwx"))));
}

}  // namespace
}  // namespace runnel::config
