// One key with one SSRC must not encrypt two streams.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// An output of the video in one line.
std::string output(const std::string& key, const std::string& port, const std::string& more) {
  return "      - srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + key +
         ", media: {kind: video, send: \"10.0.0.2:" + port + "\"" + more + "}}\n";
}

TEST(Keystreams, APinnedSsrcUnderAStaticKeyIsAWarningThatSaysWhatItMeans) {
  EXPECT_THAT(warnings_of(with_receivers(output(kKey30, "6000", ", ssrc: 7"))),
              ElementsAre(AllOf(HasSubstr("test.yaml:10: relays[0].to[0].srtp.media.ssrc: a pinned "
                                          "SSRC under a configured key: after each restart"),
                                HasSubstr("leave 'ssrc' out"))));
  EXPECT_THAT(warnings_of(with_receivers(output(kKey30, "6000", ""))), IsEmpty());
  EXPECT_THAT(warnings_of(with_receivers(
                  "      - rtp: {media: {kind: video, send: \"10.0.0.2:6000\", ssrc: 7}}\n")),
              IsEmpty())
      << "nothing is encrypted there";
}

TEST(Keystreams, TwoOutputsWithOneKeyAndSsrcAreRefused) {
  EXPECT_THAT(errors_of(with_receivers(output(kKey30, "6000", ", ssrc: 7") +
                                       output(kKey30, "6002", ", ssrc: 0x7"))),
              ElementsAre(AllOf(
                  HasSubstr("test.yaml:11: relays[0].to[1].srtp.media.ssrc: the same key with the "
                            "same SSRC 0x00000007 as the output in line 10"),
                  HasSubstr("leave 'ssrc' out, or use another key"))));
  EXPECT_THAT(errors_of(with_receivers(
                  output(kKey30, "6000", ", ssrc: 7") + output(kOtherKey30, "6002", ", ssrc: 7") +
                  output(kKey30, "6004", ", ssrc: 8") + output(kKey30, "6006", ""))),
              IsEmpty());
}

TEST(Keystreams, AnOutputMayNotContinueItsSource) {
  std::string yaml = with_receivers(output(kKey30, "6000", ", ssrc: 7"));
  yaml.replace(yaml.find("VP8/90000"), 9, "VP8/90000, ssrc: 7");
  EXPECT_THAT(errors_of(yaml),
              ElementsAre(HasSubstr("test.yaml:10: relays[0].to[0].srtp.media.ssrc: "
                                    "the same key with the same SSRC 0x00000007 as "
                                    "the source in line 7")));
}

TEST(Keystreams, SuitesOfOneCipherShareTheirKeystream) {
  EXPECT_THAT(
      errors_of(with_receivers(output(kKey30, "6000", ", ssrc: 7") +
                               "      - srtp: {suite: AES_CM_128_HMAC_SHA1_32, key: " + kKey30 +
                               ", media: {kind: video, send: \"10.0.0.2:6002\", ssrc: 7}}\n")),
      ElementsAre(HasSubstr("the same key with the same SSRC")));
}

}  // namespace
}  // namespace runnel::config
