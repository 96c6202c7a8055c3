// Legs over UDP: keys and addresses in the answers, packets through the engine, and no media to
// third parties.
#include "core/base/base64.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "guest.h"

namespace runnel::session {
namespace {

constexpr auto kProfile = srtp::Profile::aes_cm_128_hmac_sha1_80;

Json srtp_leg(Json fields = Json::object()) {
  fields["suites"] = Json::array({"AES_CM_128_HMAC_SHA1_80"});
  return {{"srtp", std::move(fields)}};
}

srtp::MasterKey key_in(const Json& leg, const char* name) {
  return *srtp::MasterKey::from_base64(kProfile, leg["srtp"][name].get<std::string>());
}

std::string sample_key(std::uint8_t filler) {
  return encode_base64(Bytes(30, filler));
}

Bytes sealed(srtp::Sender& sender, Bytes packet) {
  const std::size_t size = packet.size();
  packet.resize(size + 64);
  packet.resize(*sender.protect_in_place(srtp::PacketKind::rtp, packet, size));
  return packet;
}

Json publication_of_one_ssrc(std::uint32_t ssrc) {
  Json track = video_track();
  track["ssrc"] = ssrc;
  return publication("camera", srtp_leg(), Json::array({track}));
}

TEST(SrtpLeg, APublisherIsToldWhereToSendUnderWhichSsrcAndKey) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera", srtp_leg()));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  EXPECT_EQ(leg["srtp"]["suite"], "AES_CM_128_HMAC_SHA1_80");
  EXPECT_EQ(leg["srtp"]["addresses"], Json::array({"192.0.2.1"}));
  EXPECT_EQ(leg["srtp"]["port"], 5004);
  EXPECT_NE(leg["tracks"][0]["ssrc"], 0);
  EXPECT_NE(leg["srtp"]["key"], leg["srtp"]["reply_key"]);
}

TEST(SrtpLeg, NobodyTakesThePlaceOfAnothersAddress) {
  Scene scene;
  Guest other = Guest::greeted(scene, {}, "192.0.2.99");
  Json track = video_track();
  track["from"] = "192.0.2.10:40000";
  const Json theirs = publication("other", srtp_leg(), Json::array({track}));
  EXPECT_EQ(Guest::code(other.ask("publish", theirs)), "address_not_allowed");
}

TEST(SrtpLeg, KeysOfTheClientAreUsedAndRepeated) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json leg = publisher.ask(
      "publish",
      publication("camera", srtp_leg({{"key", sample_key(1)}, {"reply_key", sample_key(2)}})));
  EXPECT_EQ(leg["srtp"]["key"], sample_key(1));
  EXPECT_EQ(leg["srtp"]["reply_key"], sample_key(2));
}

TEST(SrtpLeg, AKeyOfTheWrongSizeIsRefusedAndNotRepeated) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const std::string key = encode_base64(Bytes(29, 7));
  EXPECT_EQ(Guest::code(publisher.ask("publish", publication("camera", srtp_leg({{"key", key}})))),
            "bad_key");
  EXPECT_EQ(publisher.box().raw_texts.back().find(key), std::string::npos);
}

TEST(SrtpLeg, PacketsOfAPublisherReachAWebSocketSubscriber) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera", srtp_leg()));
  subscriber.ask("subscribe", subscription("camera"));
  srtp::Sender sender(key_in(leg, "key"));
  const SocketAddress from = *SocketAddress::parse("192.0.2.10:40000");
  for (std::uint16_t i = 1; i <= 3; ++i) {
    Bytes clear = vp8_packet(i, i == 1);
    rtp::set_ssrc(clear, leg["tracks"][0]["ssrc"].get<std::uint32_t>());
    scene.receive_datagram(from, sealed(sender, clear));
  }
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 3u);
  const Bytes sent = vp8_packet(3, false);
  const ByteView payload = view_of(sent).payload();
  EXPECT_EQ(payload_of(media[2]), Bytes(payload.begin(), payload.end()));
}

TEST(SrtpLeg, PacketsUnderAnotherKeyReachNobody) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  publisher.ask("publish", publication_of_one_ssrc(77));
  subscriber.ask("subscribe", subscription("camera"));
  srtp::Sender sender(*srtp::MasterKey::from_base64(kProfile, sample_key(9)));
  Bytes clear = vp8_packet(1, true);
  rtp::set_ssrc(clear, 77);
  scene.receive_datagram(*SocketAddress::parse("192.0.2.10:40000"), sealed(sender, clear));
  scene.receive_datagram(*SocketAddress::parse("192.0.2.10:40000"), clear);
  EXPECT_TRUE(subscriber.media().empty());
}

TEST(SrtpLeg, ASubscriberGetsWhatItsKeyOpens) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg =
      subscriber.ask("subscribe", subscription("camera", srtp_leg({{"to", "192.0.2.10:6000"}})));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  ASSERT_EQ(scene.datagrams.size(), 1u);
  EXPECT_EQ(scene.datagrams[0].destination, *SocketAddress::parse("192.0.2.10:6000"));
  srtp::Receiver receiver(key_in(leg, "key"));
  Bytes bytes = scene.datagrams[0].bytes;
  const auto size = receiver.unprotect_in_place(srtp::PacketKind::rtp, bytes);
  ASSERT_TRUE(size.has_value());
  bytes.resize(*size);
  EXPECT_EQ(view_of(bytes).ssrc(), leg["tracks"][0]["ssrc"]);
  const ByteView payload = view_of(bytes).payload();
  const Bytes sent = vp8_packet(1, true);
  const ByteView expected = view_of(sent).payload();
  EXPECT_EQ(Bytes(payload.begin(), payload.end()), Bytes(expected.begin(), expected.end()));
}

TEST(SrtpLeg, MediaIsNotAimedAtThirdParties) {
  SceneOptions options;
  options.settings.srtp_networks = {*IpNetwork::parse("198.51.100.0/24")};
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  client.ask("publish", publication("camera"));
  const auto subscribe_to = [&](Json fields) {
    return Guest::code(client.ask("subscribe", subscription("camera", srtp_leg(fields))));
  };
  EXPECT_EQ(subscribe_to({{"to", "203.0.113.5:6000"}}), "address_not_allowed");
  EXPECT_EQ(subscribe_to({{"to", "198.51.100.7:6000"}}), "ok");
  EXPECT_EQ(subscribe_to({{"to", "192.0.2.10:6000"}}), "ok");
  Json wish = subscription("camera", srtp_leg({{"to", "192.0.2.10:6002"}}));
  wish["tracks"] = Json::array({{{"name", "video"}, {"rtcp_to", "203.0.113.5:6003"}}});
  EXPECT_EQ(Guest::code(client.ask("subscribe", wish)), "address_not_allowed");
  EXPECT_EQ(scene.desk.counts().subscriptions, 2u);
}

TEST(SrtpLeg, TwoSubscriptionsToOneDestinationAreRefused) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.ask("publish", publication("camera"));
  const Json wish = subscription("camera", srtp_leg({{"to", "192.0.2.10:6000"}}));
  EXPECT_EQ(Guest::code(client.ask("subscribe", wish)), "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", wish)), "address_in_use");
}

TEST(SrtpLeg, ALatchingSubscriberIsToldItsRtcpSsrc) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.ask("publish", publication("camera"));
  const Json leg = client.ask("subscribe", subscription("camera", srtp_leg({{"latch", true}})));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  EXPECT_TRUE(leg["tracks"][0].contains("rtcp_ssrc"));
  EXPECT_TRUE(leg["srtp"].contains("reply_key"));
}

TEST(SrtpLeg, AnSsrcThatIsInUseIsRefused) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(client.ask("publish", publication_of_one_ssrc(77))), "ok");
  Json other = publication_of_one_ssrc(77);
  other["stream"] = "other";
  EXPECT_EQ(Guest::code(client.ask("publish", other)), "ssrc_in_use");
  EXPECT_EQ(scene.desk.counts().streams, 1u);
}

TEST(SrtpLeg, WithoutAPortOfTheAddressFamilyASubscriptionIsRefused) {
  Scene scene;
  Guest client = Guest::greeted(scene, {}, "2001:db8::5");
  client.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(client.ask(
                "subscribe", subscription("camera", srtp_leg({{"to", "[2001:db8::5]:6000"}})))),
            "unsupported_leg");
}

TEST(SrtpLeg, AddressesAreThoseThatAreAnnounced) {
  SceneOptions options;
  options.settings.media_ports[0].address = *SocketAddress::parse("0.0.0.0:5004");
  options.settings.addresses = {"203.0.113.1", "2001:db8::1", "media.example.net"};
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  const Json leg = client.ask("publish", publication("camera", srtp_leg()));
  EXPECT_EQ(leg["srtp"]["addresses"], Json::array({"203.0.113.1", "media.example.net"}));
  Guest local = Guest::greeted(scene, {}, "127.0.0.1");
  const Json near = local.ask("publish", publication("near", srtp_leg()));
  EXPECT_EQ(near["srtp"]["addresses"], Json::array({"127.0.0.1"}));
}

TEST(SrtpLeg, KeysAreInNoOtherTextThanTheAnswer) {
  Scene scene;
  Guest client(scene);
  const std::string session = client.ask("hello")["session"];
  const Json leg = client.ask("publish", publication("camera", srtp_leg()));
  const std::string key = leg["srtp"]["key"];
  client.ask("watch");
  client.ask("stats", {{"leg", leg["leg"]}});
  client.disconnect();
  Guest again(scene);
  again.ask("hello", {{"resume", session}});
  again.ask("stats", {{"stream", "camera"}});
  std::size_t found = 0;
  for (const auto& [id, box] : scene.mailboxes) {
    for (const std::string& text : box.raw_texts) found += text.find(key) != text.npos ? 1 : 0;
  }
  EXPECT_EQ(found, 1u);
}

TEST(SrtpLeg, AByeOfTheSubscriberEndsItsLeg) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg =
      publisher.ask("subscribe", subscription("camera", srtp_leg({{"to", "192.0.2.10:6000"}})));
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  srtp::Sender sender(key_in(leg, "reply_key"));
  // An empty RR and a BYE (RFC 3550 §6.4.2, §6.6).
  Bytes rtcp{0x80, 201, 0, 1, 0, 0, 0, 5, 0x81, 203, 0, 1, 0, 0, 0, 5};
  const std::size_t size = rtcp.size();
  rtcp.resize(size + 64);
  rtcp.resize(*sender.protect_in_place(srtp::PacketKind::rtcp, rtcp, size));
  scene.receive_datagram(*SocketAddress::parse("192.0.2.10:6000"), rtcp);
  const auto ended = publisher.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["leg"], leg["leg"]);
  EXPECT_EQ(ended[0]["reason"], "goodbye");
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
}

// Clear RTP.

TEST(RtpLeg, IsRefusedWhereNoNetworkIsNamed) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  const Json rtp = {{"rtp", Json::object()}};
  EXPECT_EQ(Guest::code(client.ask("publish", publication("camera", rtp))), "address_not_allowed");
  client.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(client.ask("subscribe",
                                   subscription("camera", {{"rtp", {{"to", "192.0.2.10:6000"}}}}))),
            "address_not_allowed");
}

TEST(RtpLeg, WorksWithinTheNetworksThatAreNamed) {
  SceneOptions options;
  options.settings.rtp_networks = {*IpNetwork::parse("192.0.2.0/24")};
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  const Json published = client.ask("publish", publication("camera", {{"rtp", Json::object()}}));
  ASSERT_EQ(Guest::code(published), "ok") << published;
  EXPECT_EQ(published["rtp"]["port"], 5004);
  EXPECT_FALSE(published["rtp"].contains("key"));
  const auto subscribe_to = [&](const char* to) {
    return Guest::code(client.ask("subscribe", subscription("camera", {{"rtp", {{"to", to}}}})));
  };
  EXPECT_EQ(subscribe_to("203.0.113.5:6000"), "address_not_allowed");
  EXPECT_EQ(subscribe_to("192.0.2.77:6000"), "ok");
  const auto send = [&](std::uint16_t number, const char* from) {
    Bytes clear = vp8_packet(number, true);
    rtp::set_ssrc(clear, published["tracks"][0]["ssrc"].get<std::uint32_t>());
    scene.receive_datagram(*SocketAddress::parse(from), clear);
  };
  send(1, "203.0.113.5:7000");
  EXPECT_TRUE(scene.datagrams.empty());
  for (std::uint16_t i = 2; i < 6; ++i) send(i, "192.0.2.10:7000");
  ASSERT_FALSE(scene.datagrams.empty());
  EXPECT_EQ(scene.datagrams[0].destination, *SocketAddress::parse("192.0.2.77:6000"));
}

TEST(RtpLeg, APublisherIsTakenFromNamedNetworksAlone) {
  SceneOptions options;
  options.settings.rtp_networks = {*IpNetwork::parse("192.0.2.0/24")};
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  Json track = video_track();
  track["from"] = "203.0.113.5:7000";
  EXPECT_EQ(Guest::code(client.ask(
                "publish", publication("camera", {{"rtp", Json::object()}}, Json::array({track})))),
            "address_not_allowed");
}

}  // namespace
}  // namespace runnel::session
