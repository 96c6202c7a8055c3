// Relays as a whole: what they read, names, limits.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Relay, ReadsTheExampleOfTheDocumentation) {
  Fake fake;
  fake.files["out.key"] = kKey28;
  const Loaded loaded = load(R"(
listen:
  media: ["0.0.0.0:7000", "[::]:7000"]
  signalling: ["127.0.0.1:7080"]
announce: [auto]
log: {level: info, format: text}
limits: {}
relays:
  - stream: camera-1
    from:
      srtp:
        suite: AES_CM_128_HMAC_SHA1_80
        key: "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e"
        media:
          - {kind: video, payload_type: 96, codec: H264/90000, listen: "0.0.0.0:5004", fmtp: "packetization-mode=1"}
          - {kind: audio, payload_type: 111, codec: opus/48000/2, listen: "0.0.0.0:5006"}
    to:
      - srtp: {suite: AEAD_AES_128_GCM, key_file: out.key, media: [{kind: video, send: "198.51.100.9:6000", rtcp_mux: true}]}
      - rtp: {media: [{kind: audio, send: "127.0.0.1:7006"}]}
)",
                             fake);
  ASSERT_THAT(loaded.config.relays, SizeIs(1));
  const Relay& relay = loaded.config.relays[0];
  EXPECT_EQ(relay.stream, "camera-1");
  ASSERT_THAT(relay.from.media, SizeIs(2));
  const SourceMedium& video = relay.from.media[0];
  EXPECT_EQ(video.name, "video");
  EXPECT_EQ(video.payload_type, 96);
  EXPECT_EQ(video.codec.rtpmap(), "H264/90000");
  EXPECT_EQ(video.codec.format_parameters, "packetization-mode=1");
  EXPECT_EQ(video.listen.address.to_string(), "0.0.0.0:5004");
  EXPECT_EQ(video.rtcp_listen()->to_string(), "0.0.0.0:5005");
  EXPECT_EQ(video.listen.origin.to_string(), "test.yaml:15: relays[0].from.srtp.media[0].listen");
  EXPECT_EQ(relay.from.media[1].codec.kind, rtp::MediaKind::audio);
  ASSERT_THAT(relay.to, SizeIs(2));
  const ReceiverMedium& first = relay.to[0].media.at(0);
  EXPECT_EQ(relay.to[0].srtp->suite, srtp::Profile::aead_aes_128_gcm);
  EXPECT_EQ(first.source, 0u);
  EXPECT_EQ(first.payload_type, 96);
  EXPECT_EQ(first.send->to_string(), "198.51.100.9:6000");
  EXPECT_EQ(first.rtcp_destination()->to_string(), "198.51.100.9:6000");
  EXPECT_EQ(first.listen, std::nullopt);
  const ReceiverMedium& second = relay.to[1].media.at(0);
  EXPECT_FALSE(relay.to[1].srtp.has_value());
  EXPECT_EQ(second.source, 1u);
  EXPECT_EQ(second.rtcp_destination()->to_string(), "127.0.0.1:7007");
  EXPECT_EQ(second.send->origin.to_string(), "test.yaml:19: relays[0].to[1].rtp.media[0].send");
}

TEST(Relay, ReadsTheRarerKeys) {
  const Loaded loaded = load(R"(
relays:
  stream: _studio.2
  from:
    rtp:
      allow: [10.0.0.0/8, "fd00::7"]
      media:
        - {kind: audio, payload_type: 0, listen: "10.0.0.1:5000", rtcp_mux: yes, ssrc: 0xdeadbeef, roc: 3}
        - {kind: audio, name: second, payload_type: 97, codec: L16/44100/2, listen: "10.0.0.1:5002"}
        - {kind: audio, payload_type: 98, codec: opus/48000/2, listen: "10.0.0.1:5004"}
  to:
    rtp:
      allow: 10.0.0.9
      media:
        - {source: second, payload_type: 100, ssrc: 7, send: "receiver.lan:6000", rtcp_send: "[fd00::1]:6009", listen: "[::]:5010"}
        - {kind: audio, send: "10.0.0.9:6002"}
        - {source: audio3, send: "10.0.0.9:6004", rtcp_mux: true}
)");
  ASSERT_THAT(loaded.config.relays, SizeIs(1));
  const Relay& relay = loaded.config.relays[0];
  ASSERT_THAT(relay.from.media, SizeIs(3));
  EXPECT_THAT(relay.from.allow, SizeIs(2));
  EXPECT_EQ(relay.from.media[0].codec.rtpmap(), "PCMU/8000");
  EXPECT_EQ(relay.from.media[0].ssrc, 0xdeadbeef);
  EXPECT_EQ(relay.from.media[0].rollover_counter, 3u);
  EXPECT_EQ(relay.from.media[0].rtcp_listen(), std::nullopt);
  EXPECT_EQ(relay.from.media[1].name, "second");
  EXPECT_EQ(relay.from.media[2].name, "audio3");
  ASSERT_THAT(relay.to, SizeIs(1));
  ASSERT_THAT(relay.to[0].media, SizeIs(3));
  const ReceiverMedium& medium = relay.to[0].media[0];
  EXPECT_EQ(medium.source, 1u);
  EXPECT_EQ(medium.payload_type, 100);
  EXPECT_EQ(medium.ssrc, 7u);
  EXPECT_EQ(medium.send->host, "receiver.lan");
  EXPECT_EQ(medium.rtcp_destination()->to_string(), "[fd00::1]:6009");
  EXPECT_EQ(medium.rtcp_listen()->to_string(), "[::]:5011");
  EXPECT_EQ(relay.to[0].media[1].payload_type, 0) << "of the source";
  EXPECT_EQ(relay.to[0].media[2].source, 2u);
}

TEST(Relay, StreamNames) {
  const auto named = [](const std::string& name) {
    std::string yaml =
        with_receivers("      - rtp: {media: {kind: video, send: \"10.0.0.1:6000\"}}\n");
    return yaml.replace(yaml.find("cam\n"), 3, name);
  };
  for (const std::string& name : {std::string("a"), std::string("A-b_c.9"), std::string(64, 'x')}) {
    EXPECT_THAT(errors_of(named(name)), IsEmpty()) << name;
  }
  for (const std::string& name :
       {std::string("\"a b\""), std::string("a/b"), std::string(65, 'x'), std::string("..", 2),
        std::string("\"-a\""), std::string("\xc3\xa9")}) {
    EXPECT_THAT(errors_of(named(name)),
                ElementsAre(AllOf(HasSubstr("test.yaml:2: relays[0].stream"),
                                  HasSubstr("is no stream name; use up to 64 letters"))))
        << name;
  }
}

TEST(Relay, StreamNamesAreUnique) {
  const std::string relay =
      with_receivers("      - rtp: {media: {kind: video, send: \"10.0.0.1:6000\"}}\n");
  EXPECT_THAT(
      errors_of(relay + "  - stream: cam\n"
                        "    from: {rtp: {media: {kind: video, payload_type: 96, codec: VP8/90000, "
                        "listen: \"127.0.0.1:5044\"}}}\n"
                        "    to: {rtp: {media: {kind: video, send: \"10.0.0.1:6044\"}}}\n"),
      ElementsAre(HasSubstr("test.yaml:11: relays[1]: a second stream named 'cam', the "
                            "first is in line 2")));
}

TEST(Relay, MissingParts) {
  EXPECT_THAT(errors_of("relays: [{}]"),
              ElementsAre(HasSubstr("relays[0]: 'stream' is missing"),
                          HasSubstr("'from' is missing"), HasSubstr("'to' is missing")));
  EXPECT_THAT(
      errors_of("relays: [{stream: a, from: {}, to: []}]"),
      ElementsAre(HasSubstr("relays[0].from: names no kind of leg; add srtp: (encrypted) or "
                            "rtp: (in the clear)"),
                  HasSubstr("relays[0].to: has 0 entries; give 1 to 10000")));
  EXPECT_THAT(errors_of("relays:\n"), IsEmpty());
}

TEST(Relay, LimitsHoldAtTheirNumber) {
  const auto receivers = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text +=
          "      - rtp: {media: {kind: video, send: \"10.0.0.1:" + std::to_string(6000 + 2 * i) +
          "\"}}\n";
    }
    return with_receivers(text);
  };
  const std::string limits = "limits: {receivers_per_relay: 3, media_per_leg: 2, relays: 1}\n";
  EXPECT_THAT(errors_of(limits + receivers(3)), IsEmpty());
  EXPECT_THAT(errors_of(limits + receivers(4)),
              ElementsAre(HasSubstr(
                  "relays[0].to: has 4 entries; give 1 to 3 (limits.receivers_per_relay)")));
  EXPECT_THAT(errors_of("limits: {media_per_leg: 1}\n" + receivers(1)),
              ElementsAre(HasSubstr("media: has 2 entries; give 1 to 1 (limits.media_per_leg)")));
  EXPECT_THAT(errors_of(limits + "relays: [{}, {}]\n"),
              ElementsAre(HasSubstr("relays: has 2 entries; give at most 1 (limits.relays)")));
}

}  // namespace
}  // namespace runnel::config
