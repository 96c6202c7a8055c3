// Requests as clients write them, and what becomes of their fields.
#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/signalling/codec.h"
#include "tests/unit/core/signalling/protocol_document.h"

namespace runnel::signalling {
namespace {

using rtp::MediaKind;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// The request, which must be one of type `Verb`.
template <typename Verb>
Verb decoded(const std::string& text) {
  auto incoming = decode(text);
  if (!incoming) {
    ADD_FAILURE() << incoming.error().error.text;
    return {};
  }
  return std::move(std::get<Verb>(incoming->request));
}

std::string base64_of(const KeyMaterial& key) {
  return encode_base64(key.view());
}

TEST(Decode, TakesEachExampleOfARequest) {
  std::size_t requests = 0;
  for (const std::string& example : protocol_examples()) {
    const auto json = nlohmann::json::parse(example);
    if (!json.contains("do")) continue;
    const auto incoming = decode(example);
    ASSERT_TRUE(incoming.has_value()) << example << '\n' << incoming.error().error.text;
    EXPECT_EQ(incoming->id, json["id"].get<std::uint64_t>());
    ++requests;
  }
  EXPECT_GE(requests, std::variant_size_v<Request>);
}

TEST(Decode, Hello) {
  const auto hello =
      decoded<Hello>(R"({"id":1,"do":"hello","versions":[1,2],"token":"abc","resume":"xyz"})");
  EXPECT_EQ(hello.versions, (std::vector{1, 2}));
  EXPECT_EQ(hello.token, "abc");
  EXPECT_EQ(hello.resume, "xyz");
  const auto bare = decoded<Hello>(R"({"do":"hello","id":9007199254740991})");
  EXPECT_TRUE(bare.versions.empty());
  EXPECT_FALSE(bare.token || bare.resume);
}

TEST(Decode, PublishBySrtp) {
  const auto publish = decoded<Publish>(R"({"id":2,"do":"publish","stream":"camera-1",
    "take_over":true,"tracks":[{"name":"main","kind":"video","codec":"VP8/90000","payload_type":97,
    "ssrc":4294967295,"from":"[2001:db8::1]:5000"}],
    "leg":{"srtp":{"suites":["AES_CM_128_HMAC_SHA1_80"],
    "key":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e",
    "reply_key":"HhwaGBYUEhAODAoIBgQCAAECAwQFBgcICQoLDA0O"}}})");
  EXPECT_EQ(publish.stream, "camera-1");
  EXPECT_TRUE(publish.take_over);
  ASSERT_EQ(publish.tracks.size(), 1u);
  const PublishedTrack& track = publish.tracks[0];
  EXPECT_EQ(track.name, "main");
  EXPECT_EQ(track.codec, rtp::Codec::parse(MediaKind::video, "VP8/90000"));
  EXPECT_EQ(track.payload_type, 97);
  EXPECT_EQ(track.ssrc, 4294967295u);
  EXPECT_EQ(track.from, SocketAddress::parse("[2001:db8::1]:5000"));
  const auto& srtp = std::get<SrtpOffer>(publish.leg);
  EXPECT_EQ(srtp.suites, (std::vector{srtp::Profile::aes_cm_128_hmac_sha1_80}));
  EXPECT_EQ(base64_of(*srtp.key), "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e");
  EXPECT_EQ(base64_of(*srtp.reply_key), "HhwaGBYUEhAODAoIBgQCAAECAwQFBgcICQoLDA0O");
}

PublishedTrack published_track(const std::string& track) {
  auto publish = decoded<Publish>(R"({"id":1,"do":"publish","stream":"s","leg":{"websocket":{}},
    "tracks":[)" + track + "]}");
  return publish.tracks.empty() ? PublishedTrack{} : publish.tracks[0];
}

TEST(Decode, ATrackIsNamedByItsKind) {
  EXPECT_EQ(published_track(R"({"codec":"VP8/90000"})").name, "video");
  EXPECT_EQ(published_track(R"({"codec":"opus/48000/2"})").name, "audio");
}

TEST(Decode, WellKnownCodecsTellTheirKind) {
  for (const char* codec : {"vp8/90000", "VP9/90000", "AV1/90000", "h264/90000", "H265/90000"}) {
    EXPECT_EQ(published_track(R"({"codec":")" + std::string(codec) + "\"}").codec.kind,
              MediaKind::video)
        << codec;
  }
  for (const char* codec : {"opus/48000/2", "PCMA/8000", "G722/8000", "L16/44100/2", "GSM/8000"}) {
    EXPECT_EQ(published_track(R"({"codec":")" + std::string(codec) + "\"}").codec.kind,
              MediaKind::audio)
        << codec;
  }
  const auto other = published_track(R"({"codec":"EVS/16000","kind":"audio"})");
  EXPECT_EQ(other.codec, rtp::Codec::parse(MediaKind::audio, "EVS/16000"));
}

TEST(Decode, StaticPayloadTypesNeedNoCodec) {
  EXPECT_EQ(published_track(R"({"payload_type":0})").codec.rtpmap(), "PCMU/8000");
  EXPECT_EQ(published_track(R"({"payload_type":8})").codec.rtpmap(), "PCMA/8000");
  EXPECT_EQ(published_track(R"({"payload_type":9})").codec.rtpmap(), "G722/8000");
  EXPECT_EQ(published_track(R"({"payload_type":0,"codec":"pcmu/8000/1"})").codec.name, "pcmu");
}

TEST(Decode, TracksWithoutPayloadTypeGetTheirStaticOneOrAFreeOne) {
  const auto publish = decoded<Publish>(R"({"id":1,"do":"publish","stream":"s",
    "leg":{"websocket":{}},"tracks":[{"name":"a","codec":"VP8/90000"},
    {"name":"b","codec":"opus/48000/2","payload_type":97},{"name":"c","codec":"PCMA/8000"},
    {"name":"d","codec":"H264/90000"}]})");
  ASSERT_EQ(publish.tracks.size(), 4u);
  EXPECT_EQ(publish.tracks[0].payload_type, 96);
  EXPECT_EQ(publish.tracks[1].payload_type, 97);
  EXPECT_EQ(publish.tracks[2].payload_type, 8);
  EXPECT_EQ(publish.tracks[3].payload_type, 98);
}

TEST(Decode, ParametersOfACodec) {
  const auto track =
      published_track(R"({"codec":"H264/90000","fmtp":"packetization-mode=1;x=y z"})");
  EXPECT_EQ(track.codec.format_parameters, "packetization-mode=1;x=y z");
}

TEST(Decode, SubscribeWithAddresses) {
  const auto subscribe = decoded<Subscribe>(R"({"id":3,"do":"subscribe","stream":"s",
    "wait_ms":300000,"paused":true,"tracks":[{"name":"video","payload_type":120,
    "to":"192.0.2.9:6000","rtcp_to":"192.0.2.9:6001"},{"name":"audio"}],
    "leg":{"srtp":{"suites":["NEW_SUITE","SRTP_AEAD_AES_256_GCM"],"to":"192.0.2.9:7000"}}})");
  EXPECT_EQ(subscribe.wait, milliseconds(300'000));
  EXPECT_TRUE(subscribe.paused);
  ASSERT_EQ(subscribe.tracks.size(), 2u);
  EXPECT_EQ(subscribe.tracks[0].payload_type, 120);
  EXPECT_EQ(subscribe.tracks[0].to, SocketAddress::parse("192.0.2.9:6000"));
  EXPECT_EQ(subscribe.tracks[0].rtcp_to, SocketAddress::parse("192.0.2.9:6001"));
  EXPECT_FALSE(subscribe.tracks[1].payload_type || subscribe.tracks[1].to);
  EXPECT_EQ(subscribe.to, SocketAddress::parse("192.0.2.9:7000"));
  EXPECT_FALSE(subscribe.latch);
  EXPECT_EQ(std::get<SrtpOffer>(subscribe.leg).suites,
            (std::vector{srtp::Profile::aead_aes_256_gcm}))
      << "a suite that is not known is passed over";
}

TEST(Decode, SubscribeByLatching) {
  const auto subscribe = decoded<Subscribe>(R"({"id":3,"do":"subscribe","stream":"s",
    "leg":{"srtp":{"suites":["AES_CM_128_HMAC_SHA1_80"],"latch":true}}})");
  EXPECT_TRUE(subscribe.latch);
  EXPECT_FALSE(subscribe.to);
  EXPECT_TRUE(subscribe.tracks.empty());
}

TEST(Decode, SubscribeOverTheWebSocket) {
  const auto frames = decoded<Subscribe>(
      R"({"id":3,"do":"subscribe","stream":"s","leg":{"websocket":{"format":"frame"}}})");
  EXPECT_EQ(std::get<WebSocketOffer>(frames.leg).format, MediaFormat::frame);
  const auto packets =
      decoded<Subscribe>(R"({"id":3,"do":"subscribe","stream":"s","leg":{"websocket":{}}})");
  EXPECT_EQ(std::get<WebSocketOffer>(packets.leg).format, MediaFormat::rtp);
}

TEST(Decode, PublishByWebRtcNeedsNoTracks) {
  const auto publish = decoded<Publish>(
      R"({"id":1,"do":"publish","stream":"s","leg":{"webrtc":{"offer":"v=0\r\n"}}})");
  EXPECT_EQ(std::get<WebRtcOffer>(publish.leg).offer, "v=0\r\n");
  EXPECT_TRUE(publish.tracks.empty());
  EXPECT_TRUE(publish.choices.empty());
}

TEST(Decode, PublishByWebRtcChoosesAmongWhatIsOffered) {
  const auto publish = decoded<Publish>(R"({"id":1,"do":"publish","stream":"s",
    "leg":{"webrtc":{"offer":"v=0"}},"tracks":[{"mid":"1","name":"screen","codec":"VP9/90000",
    "fmtp":"profile-id=0"},{"kind":"audio"},{}]})");
  ASSERT_EQ(publish.choices.size(), 3u);
  EXPECT_EQ(publish.choices[0].mid, "1");
  EXPECT_EQ(publish.choices[0].name, "screen");
  EXPECT_EQ(publish.choices[0].kind, MediaKind::video);
  EXPECT_EQ(publish.choices[0].codec->name, "VP9");
  EXPECT_EQ(publish.choices[0].codec->format_parameters, "profile-id=0");
  EXPECT_EQ(publish.choices[1].name, "audio");
  EXPECT_FALSE(publish.choices[1].codec || publish.choices[1].mid);
  EXPECT_FALSE(publish.choices[2].kind);
  EXPECT_EQ(publish.choices[2].name, "");
}

TEST(Decode, SubscribeByWebRtc) {
  const auto offering = decoded<Subscribe>(R"({"id":1,"do":"subscribe","stream":"s",
    "leg":{"webrtc":{"offer":"v=0"}},"tracks":[{"name":"video"}],"layers":{"max_height":360}})");
  EXPECT_EQ(std::get<WebRtcOffer>(offering.leg).offer, "v=0");
  EXPECT_EQ(offering.layers, (relay::LayerWish{.max_height = 360, .rid = {}}));
  const auto offered = decoded<Subscribe>(
      R"({"id":1,"do":"subscribe","stream":"s","leg":{"webrtc":{}},"layers":{"rid":"l"}})");
  EXPECT_FALSE(std::get<WebRtcOffer>(offered.leg).offer || std::get<WebRtcOffer>(offered.leg).peer);
  EXPECT_EQ(offered.layers.rid, "l");
  const auto added =
      decoded<Subscribe>(R"({"id":1,"do":"subscribe","stream":"s","leg":{"webrtc":{"peer":2}}})");
  EXPECT_EQ(std::get<WebRtcOffer>(added.leg).peer, 2u);
  EXPECT_EQ(added.layers, relay::LayerWish());
}

TEST(Decode, VerbsOfPeerConnections) {
  const auto answer =
      decoded<PeerAnswer>(R"({"id":1,"do":"answer","peer":3,"generation":2,"sdp":"v=0"})");
  EXPECT_EQ(answer.peer, 3u);
  EXPECT_EQ(answer.generation, 2u);
  EXPECT_EQ(answer.sdp, "v=0");
  const auto restart = decoded<Restart>(R"({"id":1,"do":"restart","peer":3,"offer":"v=0"})");
  EXPECT_EQ(restart.peer, 3u);
  EXPECT_EQ(restart.offer, "v=0");
}

TEST(Decode, LayersOfALeg) {
  EXPECT_FALSE(decoded<Update>(R"({"id":1,"do":"update","leg":7})").layers.has_value());
  const auto best = decoded<Update>(R"({"id":1,"do":"update","leg":7,"layers":{}})");
  EXPECT_EQ(best.layers, relay::LayerWish());
  EXPECT_EQ(best.track, "");
  const auto one =
      decoded<Update>(R"({"id":1,"do":"update","leg":7,"layers":{"rid":"h"},"track":"camera"})");
  EXPECT_EQ(one.layers->rid, "h");
  EXPECT_EQ(one.track, "camera");
}

TEST(Decode, VerbsOfLegs) {
  EXPECT_EQ(decoded<Unpublish>(R"({"id":1,"do":"unpublish","leg":7})").leg, 7u);
  EXPECT_EQ(decoded<Unsubscribe>(R"({"id":1,"do":"unsubscribe","leg":4294967295})").leg,
            4294967295u);
  const auto update = decoded<Update>(R"({"id":1,"do":"update","leg":7,"key_frame":true})");
  EXPECT_EQ(update.leg, 7u);
  EXPECT_FALSE(update.paused.has_value());
  EXPECT_TRUE(update.key_frame);
  EXPECT_EQ(decoded<Update>(R"({"id":1,"do":"update","leg":7,"paused":false})").paused, false);
}

TEST(Decode, WatchAndStats) {
  EXPECT_EQ(decoded<Watch>(R"({"id":1,"do":"watch","prefix":""})").prefix, "");
  const auto watch = decoded<Watch>(R"({"id":1,"do":"watch","prefix":"camera-","stop":true})");
  EXPECT_EQ(watch.prefix, "camera-");
  EXPECT_TRUE(watch.stop);
  const auto once = decoded<Stats>(R"({"id":1,"do":"stats","stream":"s"})");
  EXPECT_EQ(once.stream, "s");
  EXPECT_FALSE(once.interval.has_value());
  const auto stop = decoded<Stats>(R"({"id":1,"do":"stats","leg":2,"interval_ms":0})");
  EXPECT_EQ(stop.leg, 2u);
  EXPECT_EQ(stop.interval, milliseconds(0));
}

TEST(Decode, Report) {
  const auto report = decoded<Report>(R"({"id":1,"do":"report","leg":5,"track":"video",
    "fraction_lost":0.25,"jitter_ms":4.5,"round_trip_ms":62,
    "clock":{"rtp_timestamp":3210987654,"unix_us":1790000000123456}})");
  EXPECT_EQ(report.track, "video");
  EXPECT_EQ(report.fraction_lost, 0.25);
  EXPECT_EQ(report.jitter, microseconds(4500));
  EXPECT_EQ(report.round_trip, microseconds(62'000));
  ASSERT_TRUE(report.clock.has_value());
  EXPECT_EQ(report.clock->rtp_timestamp, 3210987654u);
  EXPECT_EQ(report.clock->unix_microseconds, 1790000000123456);
}

TEST(Decode, FieldsThatAreNotKnownAreIgnored) {
  const auto bye = decode(R"({"do":"bye","later":{"a":[1,null,{"b":2}]},"id":1e1})");
  ASSERT_TRUE(bye.has_value());
  EXPECT_EQ(bye->id, 10u) << "1e1 is a whole number, too";
}

TEST(DecodeBody, NeedsNeitherIdNorVerb) {
  const auto update = decode_body("update", R"({"leg":3,"paused":true})");
  ASSERT_TRUE(update.has_value());
  EXPECT_EQ(std::get<Update>(*update).paused, true);
  EXPECT_TRUE(decode_body("watch", "").has_value()) << "an empty body is {}";
  EXPECT_EQ(decode_body("shout", "").error().code, ErrorCode::unknown_verb);
}

TEST(DecodeBody, LeavesToThePathWhatThePathSays) {
  const Place stream{.stream = "camera-1", .leg = std::nullopt};
  const std::string rest = R"("tracks":[{"payload_type":0}],"leg":{"websocket":{}}})";
  const auto publish = decode_body("publish", "{" + rest, stream);
  ASSERT_TRUE(publish.has_value()) << publish.error().text;
  EXPECT_EQ(std::get<Publish>(*publish).stream, "camera-1");
  EXPECT_TRUE(decode_body("publish", R"({"stream":"camera-1",)" + rest, stream).has_value());
  const auto other = decode_body("publish", R"({"stream":"camera-2",)" + rest, stream);
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().text, "stream: is another one than the path names");

  const Place leg{.stream = std::nullopt, .leg = 4};
  EXPECT_EQ(std::get<Update>(*decode_body("update", "{}", leg)).leg, 4u);
  EXPECT_FALSE(decode_body("update", R"({"leg":5})", leg).has_value());
  EXPECT_FALSE(decode_body("update", R"({"leg":"4"})", leg).has_value());
}

}  // namespace
}  // namespace runnel::signalling
