// Where a stream comes from: the leg and its media.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Source, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"payload_type: 96, codec: VP8/90000", "'kind' is missing; add kind: audio or kind: video"},
      {"kind: vidoe, payload_type: 96, codec: VP8/90000",
       "kind: 'vidoe' is not known here; did you mean 'video'?"},
      {"kind: video, codec: VP8/90000",
       "'payload_type' is missing; add the number that the sender uses"},
      {"kind: video, payload_type: 128, codec: VP8/90000", "'128' is out of bounds; use 0 to 127"},
      {"kind: video, payload_type: 72, codec: VP8/90000",
       "payload types 64 to 95 cannot be told from RTCP; use 96"},
      {"kind: video, payload_type: 96",
       "payload type 96 has no fixed meaning; add codec, such as H264/90000"},
      {"kind: video, payload_type: 8", "payload type 8 is PCMA/8000, which is audio"},
      {"kind: video, payload_type: 96, codec: h264",
       "'h264' is no codec with its clock rate; write NAME/CLOCKRATE as in a=rtpmap, such as "
       "\"H264/90000\""},
      {"kind: audio, payload_type: 96, codec: opus", "such as \"opus/48000/2\""},
      {"kind: video, payload_type: 96, codec: VP8/90000, ssrc: -1",
       "ssrc: '-1' is no whole number; use 0 to 4294967295"},
      {"kind: video, payload_type: 96, codec: VP8/90000, roc: 4294967296",
       "roc: '4294967296' is out of bounds"},
      {"kind: video, payload_type: 96, codec: VP8/90000, rtcp_mux: maybe",
       "rtcp_mux: 'maybe' is neither true nor false"},
      {"kind: video, payload_type: 96, codec: VP8/90000, name: 'a b'",
       "name: 'a b' is no name; use up to 64 letters"},
      {"kind: video, payload_type: 96, codec: VP8/90000, fmtp: \"a\\r\\nb\"",
       "fmtp: is no line of printable characters"},
      {"kind: video, payload_type: 96, codec: VP8/90000, send: x",
       "unknown key 'send'; it belongs in an entry of to's media"},
      {"kind: video, payload_typ: 96, payload_type: 96, codec: VP8/90000",
       "unknown key 'payload_typ'; did you mean 'payload_type'?"},
  };
  for (const auto& [medium, expected] : cases) {
    EXPECT_THAT(
        errors_of(
            with_source(std::string("rtp: {media: {") + medium + ", listen: \"127.0.0.1:5004\"}}")),
        ElementsAre(AllOf(HasSubstr("test.yaml:4: relays[0].from.rtp.media"), HasSubstr(expected))))
        << medium;
  }
}

TEST(Source, ListeningPortsLeaveRoomForRtcp) {
  const auto with_listen = [](const std::string& listen) {
    return with_source(
        "rtp: {allow: 10.0.0.1, media: {kind: video, payload_type: 96, codec: "
        "VP8/90000, listen: " +
        listen + "}}");
  };
  EXPECT_THAT(errors_of(with_listen("\"0.0.0.0:65535\"")),
              ElementsAre(HasSubstr("listen: leaves no next port for RTCP; use an even port")));
  EXPECT_THAT(errors_of(with_listen("\"0.0.0.0:65535\", rtcp_mux: true")), IsEmpty());
  EXPECT_THAT(warnings_of(with_listen("\"0.0.0.0:5005\"")),
              ElementsAre(HasSubstr("on an odd port")));
  EXPECT_THAT(warnings_of(with_listen("\"0.0.0.0:5005\", rtcp_mux: true")), IsEmpty());
}

TEST(Source, ASourceThatCannotBeReadDoesNotBlameItsReceivers) {
  EXPECT_THAT(errors_of(with_source("rtp: {media: {kind: vidoe}}")),
              ElementsAre(HasSubstr("'vidoe'"), HasSubstr("'payload_type' is missing"),
                          HasSubstr("'listen' is missing")));
}

TEST(Source, PlainRtpThatAnybodyCanFeedIsAWarning) {
  const auto from = [](const std::string& listen, const std::string& allow) {
    return with_source("rtp: {" + allow +
                       "media: {kind: video, payload_type: 96, codec: VP8/90000, "
                       "listen: \"" +
                       listen + "\"}}");
  };
  EXPECT_THAT(
      warnings_of(from("0.0.0.0:5004", "")),
      ElementsAre(AllOf(HasSubstr("plain RTP is not authenticated"), HasSubstr("add allow"))));
  EXPECT_THAT(warnings_of(from("127.0.0.1:5004", "")), IsEmpty());
  EXPECT_THAT(warnings_of(from("0.0.0.0:5004", "allow: 10.0.0.1, ")), IsEmpty());
}

TEST(Source, UnlikelyCodecsAreAWarning) {
  const auto with_codec = [](const std::string& medium) {
    return with_source(
        "rtp: {media: [{kind: video, payload_type: 100, codec: VP8/90000, listen: "
        "\"127.0.0.1:5002\"}, {" +
        medium + ", listen: \"127.0.0.1:5004\"}]}");
  };
  const std::pair<const char*, const char*> cases[] = {
      {"kind: audio, payload_type: 96, codec: opus/48000", "\"opus/48000/2\""},
      {"kind: video, payload_type: 96, codec: H264/48000", "\"H264/90000\""},
      {"kind: audio, payload_type: 96, codec: VP8/90000", "as audio is unusual"},
      {"kind: audio, payload_type: 0, codec: opus/48000/2", "usually means PCMU/8000"},
  };
  for (const auto& [medium, expected] : cases) {
    EXPECT_THAT(warnings_of(with_codec(medium)), ElementsAre(HasSubstr(expected))) << medium;
  }
  EXPECT_THAT(warnings_of(with_codec("kind: video, payload_type: 96, codec: h264/90000")),
              IsEmpty());
}

}  // namespace
}  // namespace runnel::config
