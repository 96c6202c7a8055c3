#include "core/whip/event_streams.h"

#include "guest.h"
#include "web.h"

namespace runnel::whip {
namespace {

using session::Browser;
using session::Bytes;
using testing::ElementsAre;
using testing::IsEmpty;

/// A viewer of a stream that has a publisher.
struct Audience {
  Web web;
  Browser publisher{web.scene, "192.0.2.10:50000"};
  Browser viewer{web.scene, "192.0.2.11:50000"};
  std::string session;

  explicit Audience(std::string_view offer = "chromium-sendonly-VP8") {
    publisher.take_answer(web.post_sdp("/whip/cam", publisher.offer(offer)).body);
    const auto made = web.post_sdp("/whep/cam", viewer.offer("chromium-recvonly"));
    EXPECT_EQ(made.status, 201) << made.body;
    session = field(made, "Location");
    viewer.take_answer(made.body);
  }
  http::Response create(std::string_view body = {}) {
    return web.ask("POST", session + "/events", {{"Content-Type", "application/json"}}, body)
        .response;
  }
  std::optional<ReaderId> read(const std::string& path) { return web.ask("GET", path).reader; }
  /// What readers were told.
  std::vector<std::string> texts() {
    std::vector<std::string> found;
    for (auto& [reader, text] : web.endpoints.events().take_output().texts) found.push_back(text);
    return found;
  }
  void pass(Duration duration) {
    web.scene.advance(duration);
    web.endpoints.events().handle_timeout(web.scene.moment.now, web.scene.desk);
  }
};

TEST(EventStreams, TellHowThingsAreAndWhatChanges) {
  Audience audience;
  const auto made = audience.create();
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = field(made, "Location");
  EXPECT_EQ(path, audience.session + "/events/1");
  ASSERT_TRUE(audience.read(path));
  const std::vector<std::string> first = audience.texts();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first.back(), "event: viewercount\ndata: {\"viewercount\":1}\n\n");
  audience.pass(EventStreams::kInterval);
  EXPECT_THAT(audience.texts(), IsEmpty());

  Browser another(audience.web.scene, "192.0.2.12:50000");
  ASSERT_EQ(audience.web.post_sdp("/whep/cam", another.offer("chromium-recvonly")).status, 201);
  audience.pass(EventStreams::kInterval);
  EXPECT_THAT(audience.texts(), ElementsAre("event: viewercount\ndata: {\"viewercount\":2}\n\n"));
}

TEST(EventStreams, GiveWhatWasAskedFor) {
  Audience audience;
  EXPECT_EQ(audience.create("[\"scte35\"]").status, 400);
  EXPECT_EQ(audience.create("{}").status, 400);
  EXPECT_EQ(audience.create("[").status, 400);
  const auto made = audience.create("[\"viewercount\"]");
  ASSERT_EQ(made.status, 201) << made.body;
  ASSERT_TRUE(audience.read(field(made, "Location")));
  EXPECT_THAT(audience.texts(), ElementsAre("event: viewercount\ndata: {\"viewercount\":1}\n\n"));
}

TEST(EventStreams, AreFewForEachSession) {
  Audience audience;
  for (std::uint32_t i = 0; i < EventStreams::kMostOfResource; ++i) {
    EXPECT_EQ(audience.create().status, 201);
  }
  EXPECT_EQ(audience.create().status, 429);
  const std::string second = audience.session + "/events/2";
  EXPECT_EQ(audience.web.ask("DELETE", second).response.status, 200);
  EXPECT_EQ(audience.web.ask("DELETE", second).response.status, 404);
  EXPECT_EQ(field(audience.create(), "Location"), second);
}

TEST(EventStreams, AreReadByOneAtATime) {
  Audience audience;
  const std::string path = field(audience.create(), "Location");
  const auto first = audience.read(path);
  const auto second = audience.read(path);
  ASSERT_TRUE(first && second);
  EXPECT_THAT(audience.web.endpoints.events().take_output().ended, ElementsAre(*first));
  audience.web.endpoints.events().close(*first);
  audience.web.endpoints.events().close(*second);
  EXPECT_TRUE(audience.read(path)) << "it waits for another connection";
  const Answer head = audience.web.ask("HEAD", path);
  EXPECT_EQ(head.response.status, 200);
  EXPECT_FALSE(head.reader);
  for (const std::string& wrong : {audience.session + "/events/9", audience.session + "/events/x",
                                   std::string("/whep/other") + path.substr(9)}) {
    EXPECT_EQ(audience.web.ask("GET", wrong).response.status, 404) << wrong;
  }
}

/// A key frame of the encoding with a RID of one letter, as chromium-sendonly-simulcast-VP8 has it.
Bytes key_frame(char rid, std::uint16_t number, std::uint8_t height) {
  Bytes packet = session::vp8_packet(number, true);
  constexpr std::size_t kHeight = 12 + 1 + 8;  // behind RTP header and payload descriptor
  packet[kHeight] = height;
  packet[0] |= 0x10;
  packet[1] = static_cast<std::uint8_t>((packet[1] & 0x80) | 96);
  store_be32(packet.data() + 8, static_cast<std::uint32_t>(rid));
  const Bytes mid_and_rid{0xbe, 0xde, 0, 1, 0x40, '1', 0xa0, static_cast<std::uint8_t>(rid)};
  packet.insert(packet.begin() + 12, mid_and_rid.begin(), mid_and_rid.end());
  return packet;
}

TEST(EventStreams, TellWhichEncodingsThereAreToChooseFrom) {
  Audience audience("chromium-sendonly-simulcast-VP8");
  ASSERT_TRUE(audience.read(field(audience.create("[\"layers\"]"), "Location")));
  EXPECT_THAT(audience.texts(),
              ElementsAre("event: layers\ndata: "
                          "{\"1\":[{\"rid\":\"q\"},{\"rid\":\"h\"},{\"rid\":\"f\"}]}\n\n"));
  std::uint16_t number = 0;
  const auto pass_with = [&](std::string_view rids, std::uint8_t height) {
    for (int i = 0; i < 10; ++i) {
      ++number;
      for (const char rid : rids) audience.publisher.send_rtp(key_frame(rid, number, height));
      audience.pass(EventStreams::kInterval / 10);
    }
  };
  pass_with("qf", 180);
  const auto begun = audience.texts();
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_THAT(begun.front(),
              testing::MatchesRegex("event: layers\ndata: "
                                    ".\"1\":..\"rid\":\"q\",\"bitrate\":[0-9]+,\"width\":320,"
                                    "\"height\":180.,.\"rid\":\"h\".,.\"rid\":\"f\",.*\n\n"));
  pass_with("qf", 180);
  EXPECT_THAT(audience.texts(), IsEmpty()) << "a bitrate alone is no change";
  pass_with("qf", 90);
  EXPECT_THAT(audience.texts(), ElementsAre(testing::HasSubstr("\"height\":90")));
  pass_with("q", 90);
  pass_with("q", 90);
  EXPECT_THAT(audience.texts(),
              ElementsAre(testing::HasSubstr("{\"rid\":\"f\",\"width\":320,\"height\":90}")));
}

TEST(EventStreams, SendCommentsWhenNothingHappens) {
  Audience audience;
  ASSERT_TRUE(audience.read(field(audience.create("[]"), "Location")));
  audience.pass(EventStreams::kHeartbeat - std::chrono::milliseconds(1));
  EXPECT_THAT(audience.texts(), IsEmpty());
  audience.pass(EventStreams::kInterval);
  EXPECT_THAT(audience.texts(), ElementsAre(":\n\n"));
}

TEST(EventStreams, EndWithTheirSession) {
  Audience audience;
  const std::string path = field(audience.create(), "Location");
  const auto reader = audience.read(path);
  ASSERT_TRUE(reader);
  static_cast<void>(audience.texts());
  EXPECT_EQ(audience.web.ask("DELETE", audience.session).response.status, 200);
  audience.pass(EventStreams::kInterval);
  EXPECT_THAT(audience.web.endpoints.events().take_output().ended, ElementsAre(*reader));
  EXPECT_EQ(audience.web.endpoints.events().size(), 0u);
  EXPECT_EQ(audience.web.endpoints.events().next_timeout(), std::nullopt);
  EXPECT_EQ(audience.web.ask("GET", path).response.status, 404);
}

}  // namespace
}  // namespace runnel::whip
