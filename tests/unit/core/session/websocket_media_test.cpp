// Media over the WebSocket, through the engine: packets and frames, in and out.
#include "guest.h"

namespace runnel::session {
namespace {

struct Pair {
  explicit Pair(Scene& scene, std::string_view in = "rtp", std::string_view out = "rtp",
                const Json& tracks = Json::array({video_track()}))
      : publisher(Guest::greeted(scene)), subscriber(Guest::greeted(scene)) {
    published = publisher.ask("publish", publication("camera", websocket_leg(in), tracks));
    subscribed = subscriber.ask("subscribe", subscription("camera", websocket_leg(out)));
    EXPECT_EQ(Guest::code(published), "ok") << published;
    EXPECT_EQ(Guest::code(subscribed), "ok") << subscribed;
  }

  Guest publisher;
  Guest subscriber;
  Json published;
  Json subscribed;
};

TEST(WebSocketMedia, PacketsComeOutWithTheirPayloadUntouched) {
  Scene scene;
  Pair pair(scene);
  const std::uint16_t in = channel_of(pair.published);
  for (std::uint16_t i = 0; i < 10; ++i) {
    pair.publisher.send_packet(in, vp8_packet(i, i == 0));
  }
  const auto media = pair.subscriber.media();
  ASSERT_EQ(media.size(), 10u);
  for (std::uint16_t i = 0; i < 10; ++i) {
    const Bytes& message = media[i];
    EXPECT_EQ(message[0], 0x10);
    EXPECT_EQ(message[1] & 1, i == 0 ? 1 : 0) << "K: the packet begins a key frame";
    EXPECT_EQ(channel_in(message), channel_of(pair.subscribed));
    const Bytes sent = vp8_packet(i, i == 0);
    const ByteView expected = view_of(sent).payload();
    EXPECT_EQ(payload_of(message), Bytes(expected.begin(), expected.end()));
    EXPECT_EQ(view_of(body_of(message)).ssrc(), pair.subscribed["tracks"][0]["ssrc"]);
    EXPECT_EQ(view_of(body_of(message)).payload_type(), 96);
  }
}

TEST(WebSocketMedia, FramesOfVp8ComeOutAsTheyWentIn) {
  Scene scene;
  Pair pair(scene, "frame", "frame");
  const std::uint16_t in = channel_of(pair.published);
  std::vector<Bytes> frames;
  for (std::uint8_t i = 0; i < 5; ++i) {
    frames.push_back(vp8_frame(i == 0, i, 3000));
    pair.publisher.send_frame(in, i * std::uint64_t{33'333}, i == 0, frames.back());
  }
  const auto media = pair.subscriber.media();
  ASSERT_EQ(media.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(media[i][0], 0x11);
    EXPECT_EQ(media[i][1] & 1, i == 0 ? 1 : 0);
    EXPECT_EQ(channel_in(media[i]), channel_of(pair.subscribed));
    const ByteView body = body_of(media[i]);
    EXPECT_EQ(Bytes(body.begin(), body.end()), frames[i]);
  }
  const auto time = [&](std::size_t i) { return load_be64(media[i].data() + 4); };
  EXPECT_NEAR(static_cast<double>(time(4) - time(0)), 4 * 33'333.0, 50.0);
}

TEST(WebSocketMedia, FramesOfOpusComeOutAsTheyWentIn) {
  Scene scene;
  Pair pair(scene, "frame", "frame", Json::array({audio_track()}));
  const Bytes frame{0x78, 1, 2, 3, 4, 5};
  for (std::uint64_t i = 0; i < 5; ++i) {
    pair.publisher.send_frame(channel_of(pair.published), i * 20'000, true, frame);
  }
  const auto media = pair.subscriber.media();
  ASSERT_EQ(media.size(), 5u);
  for (const Bytes& message : media) {
    const ByteView body = body_of(message);
    EXPECT_EQ(Bytes(body.begin(), body.end()), frame);
  }
}

TEST(WebSocketMedia, AFrameThatIsLongerThanTheIntakeGoesInParts) {
  Scene scene;
  Pair pair(scene, "frame", "frame");
  const Bytes frame = vp8_frame(true, 9, 300'000);
  pair.publisher.send_frame(channel_of(pair.published), 0, true, frame);
  const auto media = pair.subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  const ByteView body = body_of(media[0]);
  EXPECT_EQ(Bytes(body.begin(), body.end()), frame);
}

TEST(WebSocketMedia, AFrameOfWhichThePublisherWasLostHalfwayIsForgotten) {
  Scene scene;
  Guest publisher(scene);
  const Json hello = publisher.ask("hello");
  const Json leg = publisher.ask("publish", publication("camera", websocket_leg("frame")));
  const std::uint16_t channel = channel_of(leg);
  {
    Bytes message(12 + 300'000, 0x55);
    const Bytes head{0x11,
                     1,
                     static_cast<std::uint8_t>(channel >> 8),
                     static_cast<std::uint8_t>(channel),
                     0,
                     0,
                     0,
                     0,
                     0,
                     0,
                     0,
                     0};
    copy_bytes(message, head);
    EXPECT_FALSE(scene.desk.receive_binary(scene.moment, publisher.id(), message));
    scene.desk.flush_media(scene.moment);
    scene.settle();
  }
  publisher.disconnect();
  Guest again(scene);
  ASSERT_EQ(again.ask("hello", {{"resume", hello["session"]}})["resumed"], true);
  Guest subscriber = Guest::greeted(scene);
  ASSERT_EQ(
      Guest::code(subscriber.ask("subscribe", subscription("camera", websocket_leg("frame")))),
      "ok");
  const Bytes frame = vp8_frame(true, 3, 100);
  again.send_frame(channel, 40'000, true, frame);
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  const ByteView body = body_of(media[0]);
  EXPECT_EQ(Bytes(body.begin(), body.end()), frame);
}

TEST(WebSocketMedia, AFrameWhoseRestNeverComesMakesWayForTheNextOne) {
  Scene scene;
  Pair pair(scene, "frame", "frame");
  const std::uint16_t channel = channel_of(pair.published);
  {
    Bytes message(12 + 300'000, 0x55);
    const Bytes head{0x11,
                     1,
                     static_cast<std::uint8_t>(channel >> 8),
                     static_cast<std::uint8_t>(channel),
                     0,
                     0,
                     0,
                     0,
                     0,
                     0,
                     0,
                     0};
    copy_bytes(message, head);
    EXPECT_FALSE(scene.desk.receive_binary(scene.moment, pair.publisher.id(), message));
    scene.desk.flush_media(scene.moment);
    scene.settle();
  }
  const Bytes frame = vp8_frame(true, 3, 100);
  pair.publisher.send_frame(channel, 40'000, true, frame);
  const auto media = pair.subscriber.media();
  ASSERT_FALSE(media.empty());
  const ByteView body = body_of(media.back());
  EXPECT_EQ(Bytes(body.begin(), body.end()), frame);
}

TEST(WebSocketMedia, AudioAndVideoKeepToTheirChannels) {
  Scene scene;
  Pair pair(scene, "rtp", "rtp", Json::array({video_track(), audio_track()}));
  pair.publisher.send_packet(channel_of(pair.published, 1),
                             packet({.payload = {1, 2, 3}, .payload_type = 111, .ssrc = 9}));
  pair.publisher.send_packet(channel_of(pair.published, 0), vp8_packet(5, true));
  const auto media = pair.subscriber.media();
  ASSERT_EQ(media.size(), 2u);
  EXPECT_EQ(channel_in(media[0]), channel_of(pair.subscribed, 1));
  EXPECT_EQ(payload_of(media[0]), (Bytes{1, 2, 3}));
  EXPECT_EQ(channel_in(media[1]), channel_of(pair.subscribed, 0));
}

TEST(WebSocketMedia, NobodySendsOnAChannelThatIsNotItsOwn) {
  Scene scene;
  Pair pair(scene);
  Guest stranger = Guest::greeted(scene);
  stranger.send_packet(channel_of(pair.published), vp8_packet(1, true));
  EXPECT_TRUE(pair.subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().media_drops.unknown_channel, 1u);
  pair.subscriber.send_packet(channel_of(pair.subscribed), vp8_packet(1, true));
  EXPECT_TRUE(pair.subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().media_drops.wrong_kind, 1u);
}

TEST(WebSocketMedia, OfAnotherKindThanAgreedIsDropped) {
  Scene scene;
  Pair pair(scene);
  pair.publisher.send_frame(channel_of(pair.published), 0, true, vp8_frame(true, 1));
  EXPECT_TRUE(pair.subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().media_drops.wrong_kind, 1u);
  EXPECT_EQ(pair.publisher.close_code(), 0);
}

TEST(WebSocketMedia, APacketLongerThanAnyDatagramIsDropped) {
  Scene scene;
  Pair pair(scene);
  const auto of_size = [](std::size_t size) {
    return packet({.payload = Bytes(size - rtp::kFixedHeaderSize, 0x10)});
  };
  pair.publisher.send_packet(channel_of(pair.published), of_size(kMaxDatagramSize));
  EXPECT_EQ(pair.subscriber.media().size(), 1u);
  pair.publisher.send_packet(channel_of(pair.published), of_size(kMaxDatagramSize + 1));
  EXPECT_TRUE(pair.subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().media_drops.oversized, 1u);
}

TEST(WebSocketMedia, WhatIsNoMediaMessageClosesTheConnection) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.send_binary(Bytes{0x20, 0, 0, 1, 9});
  EXPECT_EQ(client.close_code(), 1003);
  client.send_binary(Bytes{});
}

TEST(WebSocketMedia, BeforeHelloGoesNowhere) {
  Scene scene;
  Guest client(scene);
  client.send_packet(1, vp8_packet(1, true));
  EXPECT_EQ(scene.desk.counts().media_drops.unknown_channel, 1u);
  EXPECT_EQ(client.close_code(), 0);
}

TEST(WebSocketMedia, ASubscriberOfFramesAsksForAKeyFrameUntilOneComes) {
  Scene scene;
  Pair pair(scene, "rtp", "frame");
  pair.publisher.events("key_frame");
  const std::uint16_t channel = channel_of(pair.published);
  std::size_t asked = 0;
  for (std::uint16_t i = 1; i <= 40; ++i) {
    pair.publisher.send_packet(channel, vp8_packet(i, false));
    scene.advance(milliseconds(100));
    asked += pair.publisher.events("key_frame").size();
  }
  EXPECT_GE(asked, 3u);
  EXPECT_LE(asked, 8u);
  EXPECT_TRUE(pair.subscriber.media().empty());
  pair.publisher.send_packet(channel, vp8_packet(41, true));
  EXPECT_EQ(pair.subscriber.media().size(), 1u);
}

TEST(WebSocketMedia, FramesOfACodecThatNobodyUnderstandsAreRefused) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  const Json odd = {{"name", "video"}, {"kind", "video"}, {"codec", "theora/90000"}};
  const Json leg =
      client.ask("publish", publication("odd", websocket_leg("frame"), Json::array({odd})));
  EXPECT_EQ(Guest::code(leg), "unsupported_codec");
  EXPECT_EQ(Guest::code(client.ask("publish",
                                   publication("odd", websocket_leg("rtp"), Json::array({odd})))),
            "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("odd", websocket_leg("frame")))),
            "unsupported_codec");
}

TEST(WebSocketMedia, ChannelsAreFreeAgainWhenTheirLegHasEnded) {
  Scene scene;
  Pair pair(scene);
  EXPECT_EQ(Guest::code(pair.publisher.ask("unpublish", {{"leg", pair.published["leg"]}})), "ok");
  pair.publisher.send_packet(channel_of(pair.published), vp8_packet(1, true));
  EXPECT_EQ(scene.desk.counts().media_drops.unknown_channel, 1u);
}

}  // namespace
}  // namespace runnel::session
