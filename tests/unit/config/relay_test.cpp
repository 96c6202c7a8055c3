// Streams, legs and media.
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

TEST(Relay, AReceiverMayBeLatched) {
  const Loaded loaded = load(with_receivers(
      "      srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + kOtherKey30 +
      ", latch: first, media: {kind: video, listen: \"0.0.0.0:5010\", rtcp_mux: true}}\n"));
  ASSERT_THAT(loaded.config.relays, SizeIs(1));
  const ReceiverLeg& leg = loaded.config.relays[0].to.at(0);
  EXPECT_TRUE(leg.latch_first);
  EXPECT_EQ(leg.media[0].send, std::nullopt);
  EXPECT_EQ(leg.media[0].rtcp_destination(), std::nullopt);
  EXPECT_THAT(errors_of(with_receivers("      rtp: {latch: first, allow: 10.0.0.0/8, media: {kind: "
                                       "video, listen: \"0.0.0.0:5010\"}}\n")),
              IsEmpty())
      << "plain RTP with an allow list";
}

TEST(Relay, SourceMediaSayWhatToWriteInstead) {
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

TEST(Relay, ListeningPortsLeaveRoomForRtcp) {
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

TEST(Relay, ReceiversSayWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtp: {media: {kind: video}}",
       "media: 'send' is missing; add the receiver's HOST:PORT, or latch: first"},
      {"rtp: {media: {send: \"10.0.0.1:6000\"}}",
       "does not say which medium; add kind: audio, kind: video, or source: NAME"},
      {"rtp: {media: {source: vidio, send: \"10.0.0.1:6000\"}}",
       "source: the source has no medium named 'vidio'; did you mean 'video'?"},
      {"rtp: {media: {source: audio, kind: video, send: \"10.0.0.1:6000\"}}",
       "source: 'audio' is no video"},
      {"rtp: {media: {kind: video, codec: VP8/90000, send: \"10.0.0.1:6000\"}}",
       "unknown key 'codec'; it belongs in an entry of from's media"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:6000\", rtcp_mux: true, rtcp_send: "
       "\"10.0.0.1:6001\"}}",
       "rtcp_send: stands beside rtcp_mux: true"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:65535\"}}",
       "send: leaves no next port for RTCP; add rtcp_mux: true or rtcp_send"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:6000\", listen: \"[::]:5010\"}}",
       "listen: is of another address family than 'send'"},
      {"rtp: {media: []}", "media: has 0 entries; give 1 to 16 (limits.media_per_leg)"},
      {"rtp: {}", "rtp: 'media' is missing; add a list"},
      {"rtp: {suite: x, media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "unknown key 'suite'; it belongs in to.srtp"},
      {"rtp: {allow: [], media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "allow: is an empty list, which would allow nobody"},
      {"rtp: {allow: 10.0.0.1/8, media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "write \"10.0.0.0/8\" for the network"},
      {"rtp: {latch: frist, media: {kind: video, listen: \"0.0.0.0:5010\"}}",
       "latch: 'frist' is not known here; did you mean 'first'?"},
      {"rtp: {latch: first, media: {kind: video, listen: \"0.0.0.0:5010\"}}",
       "latch: on plain RTP nothing is authenticated"},
      {"rtp: {latch: first, allow: 10.0.0.1, media: {kind: video}}",
       "'listen' is missing, which a leg with latch needs"},
      {"rtp: {latch: first, allow: 10.0.0.1, media: {kind: video, listen: \"0.0.0.0:5010\", send: "
       "\"10.0.0.1:6000\"}}",
       "send: stands beside 'latch'"},
      {"websocket: {}", "unknown key 'websocket'"},
      {"{rtp: {media: {kind: video, send: \"10.0.0.1:6000\"}}, srtp: {}}",
       "has both 'srtp' and 'rtp'"},
  };
  for (const auto& [receiver, expected] : cases) {
    const auto errors = errors_of(with_receivers("      - " + std::string(receiver) + "\n"));
    ASSERT_THAT(errors, testing::Not(IsEmpty())) << receiver;
    EXPECT_THAT(errors.front(),
                AllOf(HasSubstr("test.yaml:10: relays[0].to[0]"), HasSubstr(expected)))
        << receiver;
  }
}

TEST(Relay, AMediumThatTheSourceLacksIsAnError) {
  EXPECT_THAT(errors_of(with_source("rtp: {allow: 10.0.0.1, media: {kind: audio, payload_type: 0, "
                                    "listen: \"0.0.0.0:5004\"}}")),
              ElementsAre(HasSubstr("test.yaml:5: relays[0].to.rtp.media.kind: the source has no "
                                    "video; add it to from's media, or remove it here; the source "
                                    "has audio")));
}

TEST(Relay, ASourceThatCannotBeReadDoesNotBlameItsReceivers) {
  EXPECT_THAT(errors_of(with_source("rtp: {media: {kind: vidoe}}")),
              ElementsAre(HasSubstr("'vidoe'"), HasSubstr("'payload_type' is missing"),
                          HasSubstr("'listen' is missing")));
}

TEST(Relay, ReceiversNeedASharedPortOfTheirFamily) {
  const std::string receivers = "      - rtp: {media: {kind: video, send: \"[fd00::1]:6000\"}}\n";
  EXPECT_THAT(errors_of("listen: {media: \"0.0.0.0:7000\"}\n" + with_receivers(receivers)),
              ElementsAre(HasSubstr("send: no address in listen.media can send to IPv6; add "
                                    "\"[::]:7000\" there, or 'listen' here")));
  EXPECT_THAT(
      errors_of("listen: {media: []}\n" +
                with_receivers("      - rtp: {media: {kind: video, send: \"a.lan:6000\"}}\n")),
      ElementsAre(HasSubstr("no address in listen.media can send")));
}

TEST(Relay, PlainRtpThatAnybodyCanFeedIsAWarning) {
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

TEST(Relay, UnlikelyCodecsAreAWarning) {
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

TEST(Relay, DocumentationAddressesAndOddPortsAreWarnings) {
  EXPECT_THAT(
      warnings_of(
          with_receivers("      - rtp: {media: {kind: video, send: \"198.51.100.9:6001\"}}\n")),
      ElementsAre(HasSubstr("only appears in documentation"), HasSubstr("RTP to an odd port")));
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
