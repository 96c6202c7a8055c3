// What the server says is what PROTOCOL.md shows.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/signalling/codec.h"
#include "tests/unit/core/signalling/protocol_document.h"

namespace runnel::signalling {
namespace {

using nlohmann::json;
using rtp::Codec;
using rtp::MediaKind;

KeyMaterial key(std::string_view base64) {
  std::array<std::uint8_t, 64> bytes{};
  return KeyMaterial(ByteView(bytes).first(decode_base64(base64, bytes).value()));
}

Codec video(std::string_view name = "VP8/90000") {
  return Codec::parse(MediaKind::video, name).value();
}
Codec audio(std::string_view name = "opus/48000/2") {
  return Codec::parse(MediaKind::audio, name).value();
}

LegTrack track(std::string name, Codec codec, std::uint8_t payload_type, std::uint32_t ssrc) {
  LegTrack result;
  result.name = std::move(name);
  result.codec = std::move(codec);
  result.payload_type = payload_type;
  result.ssrc = ssrc;
  return result;
}

Leg srtp_leg(LegNumber number, LegRole role) {
  Leg leg;
  leg.leg = number;
  leg.role = role;
  leg.stream = "camera-1";
  leg.transport.emplace();
  leg.transport->addresses = {"192.0.2.1"};
  leg.transport->port = 7000;
  return leg;
}

StreamSummary camera(std::size_t subscribers) {
  return {"camera-1", StreamState::live, {{"video", video(), true}}, subscribers};
}

#define EXPECT_EXAMPLE(text) \
  EXPECT_TRUE(has_example(text)) << "PROTOCOL.md has no such example: " << (text)

TEST(Encode, Hello) {
  HelloAnswer hello;
  hello.session = "c2Vzc2lvbi1vZi1iZWZvcmU";
  hello.resumed = true;
  hello.hold = std::chrono::seconds(30);
  hello.limits = {1048576, 64, 50};
  hello.server = "runnel 0.1.0";
  Leg leg;
  leg.leg = 3;
  leg.role = LegRole::subscription;
  leg.stream = "camera-1";
  leg.tracks.push_back(track("audio", audio(), 111, 287454020));
  leg.tracks[0].channel = 1;
  hello.legs.push_back(std::move(leg));
  Leg other;
  other.leg = 4;
  other.stream = "camera-2";
  other.tracks.push_back(track("video", video(), 96, 16909060));
  hello.legs.push_back(std::move(other));
  EXPECT_EXAMPLE(encode(1, std::move(hello)));
}

TEST(Encode, APublicationBySrtp) {
  Leg leg = srtp_leg(1, LegRole::publication);
  Codec opus = audio();
  opus.format_parameters = "minptime=10;useinbandfec=1";
  leg.tracks.push_back(track("video", video(), 96, 16909060));
  leg.tracks.push_back(track("audio", opus, 111, 84281096));
  leg.transport->addresses.emplace_back("2001:db8::1");
  leg.transport->suite = srtp::Profile::aes_cm_128_hmac_sha1_80;
  leg.transport->key = key("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e");
  leg.transport->reply_key = key("HhwaGBYUEhAODAoIBgQCAAECAwQFBgcICQoLDA0O");
  EXPECT_EXAMPLE(encode(2, std::move(leg)));
}

TEST(Encode, APublicationByRtp) {
  Leg leg = srtp_leg(2, LegRole::publication);
  leg.stream = "door";
  leg.tracks.push_back(track("audio", audio("PCMU/8000"), 0, 0));
  EXPECT_EXAMPLE(encode(3, std::move(leg)));
}

TEST(Encode, APublicationOverTheWebSocket) {
  Leg leg;
  leg.leg = 3;
  leg.stream = "screen";
  leg.tracks.push_back(track("video", video("VP9/90000"), 96, 1122334455));
  leg.tracks[0].channel = 1;
  leg.format = MediaFormat::frame;
  EXPECT_EXAMPLE(encode(4, std::move(leg)));
}

TEST(Encode, ASubscription) {
  Leg leg = srtp_leg(4, LegRole::subscription);
  leg.tracks.push_back(track("video", video(), 120, 3735928559));
  leg.transport->suite = srtp::Profile::aead_aes_128_gcm;
  leg.transport->key = key("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHA==");
  leg.transport->reply_key = key("HBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQ==");
  EXPECT_EXAMPLE(encode(5, std::move(leg)));
}

TEST(Encode, WhatALatchingClientNeeds) {
  Leg leg = srtp_leg(4, LegRole::subscription);
  leg.tracks.push_back(track("video", video(), 96, 5));
  leg.tracks[0].rtcp_ssrc = 6;
  EXPECT_EQ(json::parse(encode_body(std::move(leg)))["tracks"][0]["rtcp_ssrc"], 6);
}

const std::string kSdp = "v=0\r\n...";

Leg webrtc_leg(LegNumber number, LegRole role, LegPeer peer) {
  Leg leg;
  leg.leg = number;
  leg.role = role;
  leg.stream = "camera-1";
  leg.webrtc = std::move(peer);
  return leg;
}

TEST(Encode, APublicationByWebRtc) {
  Leg leg = webrtc_leg(5, LegRole::publication,
                       {.peer = 1, .answer = kSdp, .generation = 0, .offer = {}});
  leg.stream = "desk";
  Codec opus = audio();
  opus.format_parameters = "minptime=10;useinbandfec=1";
  leg.tracks.push_back(track("audio", opus, 111, 0));
  leg.tracks.push_back(track("video", video(), 96, 0));
  EXPECT_EXAMPLE(encode(20, std::move(leg)));
}

TEST(Encode, SubscriptionsByWebRtc) {
  Leg answered = webrtc_leg(6, LegRole::subscription,
                            {.peer = 2, .answer = kSdp, .generation = 0, .offer = {}});
  answered.tracks.push_back(track("video", video(), 120, 3735928559));
  EXPECT_EXAMPLE(encode(22, std::move(answered)));
  Leg offered = webrtc_leg(7, LegRole::subscription,
                           {.peer = 3, .answer = {}, .generation = 1, .offer = kSdp});
  offered.tracks.push_back(track("video", video(), 96, 287454020));
  EXPECT_EXAMPLE(encode(23, std::move(offered)));
  Leg later =
      webrtc_leg(8, LegRole::subscription, {.peer = 3, .answer = {}, .generation = 0, .offer = {}});
  later.stream = "door";
  later.tracks.push_back(track("audio", audio("PCMU/8000"), 0, 555819297));
  EXPECT_EXAMPLE(encode(24, std::move(later)));
}

TEST(Encode, ARestart) {
  EXPECT_EXAMPLE(encode(26, RestartAnswer{.peer = 1, .answer = kSdp}));
}

TEST(Encode, NothingToTell) {
  EXPECT_EXAMPLE(encode(11, Done{}));
  EXPECT_EQ(encode_body(Done{}), "{}");
}

TEST(Encode, Streams) {
  EXPECT_EXAMPLE(encode(13, WatchAnswer{{camera(2)}}));
}

StatsAnswer camera_statistics() {
  StatsAnswer stats;
  stats.state = StreamState::live;
  stats.leg = 4;
  stats.statistics.stream = "camera-1";
  relay::SourceMediumStatistics source;
  source.name = "video";
  source.live = true;
  source.ssrc = 16909060;
  source.source = SocketAddress::parse("192.0.2.20:50000");
  source.packets = 18530;
  source.bytes = 20471234;
  source.lost = 3;
  source.jitter = std::chrono::microseconds(2125);
  source.key_frame_requests = 4;
  source.drops.add(DropReason::authentication_failed, 12);
  source.drops.add(DropReason::replayed, 3);
  source.bitrate = 2'300'000;
  source.picture_size = {1280, 720};
  source.encodings.resize(2);
  source.encodings[0].rid = "l";
  source.encodings[0].ssrc = 16909061;
  source.encodings[0].packets = 530;
  relay::EncodingStatistics& high = source.encodings[1];
  high.rid = "h";
  high.ssrc = 16909060;
  high.flowing = true;
  high.picture_size = {1280, 720};
  high.bitrate = 2'300'000;
  high.packets = 18000;
  high.lost = 3;
  high.nacked_packets = 2;
  stats.statistics.from.push_back(source);
  relay::ReceiverMediumStatistics medium;
  medium.ssrc = 3735928559;
  medium.destination = SocketAddress::parse("192.0.2.9:6000");
  medium.packets = 18527;
  medium.bytes = 20989000;
  medium.key_frame_requests = 1;
  medium.nacked_packets = 5;
  medium.retransmitted_packets = 4;
  medium.rid = "l";
  medium.next_rid = "h";
  medium.withheld = relay::Withheld::waiting_for_key_frame;
  medium.fraction_lost = 0.0078125;
  medium.round_trip = std::chrono::microseconds(41500);
  medium.jitter = std::chrono::milliseconds(3);
  stats.statistics.to.emplace_back().media.push_back(medium);
  return stats;
}

TEST(Encode, Statistics) {
  EXPECT_EXAMPLE(encode(15, camera_statistics()));
}

TEST(Encode, WhatHoldsAReceiverUpIsASentenceOfItsOwn) {
  using relay::Withheld;
  std::set<std::string> sentences;
  for (const Withheld reason : {Withheld::paused, Withheld::no_destination, Withheld::key_expired,
                                Withheld::source_is_silent, Withheld::waiting_for_key_frame}) {
    StatsAnswer stats = camera_statistics();
    stats.statistics.to[0].media[0].withheld = reason;
    const json answer = json::parse(encode(15, stats));
    const std::string sentence = answer["ok"]["to"][0]["tracks"][0]["withheld"];
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(Encode, Errors) {
  const Error busy{ErrorCode::stream_busy, "somebody else publishes 'camera-1'",
                   std::chrono::milliseconds(2000)};
  EXPECT_EXAMPLE(encode(7, busy));
  EXPECT_EXAMPLE(encode_problem(busy));
  const json nameless =
      json::parse(encode(std::nullopt, Error{ErrorCode::bad_json, "no", std::nullopt}));
  EXPECT_TRUE(nameless["re"].is_null());
  EXPECT_FALSE(nameless["error"].contains("retry_ms"));
}

TEST(Encode, TextsAreEscaped) {
  const std::string text = "a \"b\" \\ \x01\n\x1f é € 😀 \x7f";
  const json parsed = json::parse(encode(1, Error{ErrorCode::bad_request, text, std::nullopt}));
  EXPECT_EQ(parsed["error"]["text"], text);
}

TEST(Encode, Events) {
  EXPECT_EXAMPLE(encode(StreamEvent{StreamEvent::What::started, camera(0)}));
  EXPECT_EXAMPLE(encode(LegEnded{4, LegEndReason::stream_ended}));
  EXPECT_EXAMPLE(encode(LegState{2, StreamState::stalled}));
  EXPECT_EXAMPLE(encode(KeyFrameWanted{3, "video"}));
  EXPECT_EXAMPLE(encode(ReceptionReport{3, "video", 0, 0, std::chrono::microseconds(1250)}));
  EXPECT_EXAMPLE(encode(ClockReport{5, "video", 3210987654, 1790000000123456}));
  StatsAnswer idle;
  idle.statistics.stream = "door";
  EXPECT_EXAMPLE(encode(StatsEvent{std::move(idle)}));
  EXPECT_EXAMPLE(encode(SlowReader{5, 321}));
  EXPECT_EXAMPLE(encode(OfferMade{3, 2, kSdp}));
  EXPECT_EXAMPLE(encode(OfferMade{1, 3, kSdp}));
  EXPECT_EXAMPLE(encode(PeerState{1, PeerState::What::connected, std::nullopt}));
  EXPECT_EXAMPLE(encode(PeerState{1, PeerState::What::ended, PeerEndReason::consent_lost}));
}

}  // namespace
}  // namespace runnel::signalling
