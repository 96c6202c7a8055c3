// Any leg joins any other: browsers beside SDES-SRTP and WebSocket.
#include "tests/simulation/browser_stage.h"
#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

constexpr relay::ChannelId kChannel{7};
constexpr PortIndex kCamera{5};

using Bridge = BrowserStage;

/// It gets what a browser sends.
ViewerOptions strangely(ViewerOptions options) {
  options.knows_content = false;
  return options;
}

/// RTP in order, without gaps, and nothing of the browser's own in it.
void expect_plain(const Viewer& viewer) {
  EXPECT_EQ(viewer.refused, 0U);
  ASSERT_GT(viewer.packets.size(), 60U);
  for (std::size_t i = 0; i < viewer.packets.size(); ++i) {
    const ReceivedPacket& packet = viewer.packets[i];
    EXPECT_EQ(packet.header[0] & 0x10, 0)
        << "header extensions mean something to the browser alone";
    EXPECT_EQ(packet.payload_type, viewer.packets.front().payload_type);
    EXPECT_EQ(packet.padding, 0U);
    if (i == 0) continue;
    EXPECT_EQ(packet.position, viewer.packets[i - 1].position + 1);
  }
}

TEST_F(Bridge, a_browser_is_seen_by_a_receiver_with_keys_of_its_own) {
  Browser& camera = publisher();
  const srtp::MasterKey key = make_key(2);
  Viewer screen_viewer(world_, strangely(at_screen(0)), &key);
  ASSERT_TRUE(world_.engine.add_receiver(0, screen(0, &key)));
  world_.drain();
  world_.run_for(1s);
  camera.send_sender_report(camera.encodings[0]);
  camera.probe_by_retransmission(camera.encodings[0]);
  world_.run_for(1s);
  expect_plain(screen_viewer);
  EXPECT_GE(screen_viewer.sender_reports.size(), 1U);
}

TEST_F(Bridge, a_browser_is_read_by_a_program_by_message) {
  publisher();
  Viewer program(world_, strangely(at_listener(kChannel)), nullptr);
  ASSERT_TRUE(world_.engine.add_receiver(0, listener(kChannel)));
  world_.drain();
  world_.run_for(2s);
  expect_plain(program);
}

TEST_F(Bridge, losses_of_a_browser_are_made_good_for_receivers_that_cannot_ask_again) {
  Browser& camera = publisher();
  const srtp::MasterKey key = make_key(2);
  Viewer screen_viewer(world_, strangely(at_screen(0)), &key);
  ASSERT_TRUE(world_.engine.add_receiver(0, screen(0, &key)));
  world_.drain();
  camera.loses_every = 7;
  world_.run_for(3s);
  camera.loses_every = 0;
  world_.run_for(1s);
  EXPECT_EQ(screen_viewer.refused, 0U);
  std::set<std::uint64_t> positions;
  for (const ReceivedPacket& packet : screen_viewer.packets) positions.insert(packet.position);
  ASSERT_GT(positions.size(), 100U);
  EXPECT_EQ(*positions.rbegin() - *positions.begin() + 1, positions.size());
}

TEST_F(Bridge, a_camera_with_keys_of_its_own_is_seen_by_browsers_that_ask_for_what_they_miss) {
  const srtp::MasterKey key = make_key(1);
  relay::RelayDescription description = camera("camera", &key);
  description.from.media[0].ports = {kCamera, std::nullopt};
  // Of a format that shows no key frames, so that everything is seen.
  description.from.media[0].codec = *rtp::Codec::parse(rtp::MediaKind::video, "raw/90000");
  ASSERT_TRUE(world_.engine.add_relay(std::move(description)));
  PublisherOptions options = at_camera();
  options.rtp_port = options.rtcp_port = kCamera;
  options.rtcp = options.rtp;
  Publisher source(world_, options, &key);
  source.start();
  Browser& one = viewer(2);
  Browser& other = viewer(3);
  world_.run_for(1s);
  one.repair(ssrc_of(0), world_.engine.retransmission_ssrc({0, 0, 0}));
  other.repair(ssrc_of(1), world_.engine.retransmission_ssrc({0, 1, 0}));
  world_.down.loss = 0.05;
  world_.run_for(4s);
  world_.down.loss = 0;
  world_.run_for(500ms);
  source.send_report();
  world_.run_for(500ms);
  for (std::size_t i = 0; i < 2; ++i) {
    const Received& got = got_by(i == 0 ? one : other, i);
    ASSERT_GT(got.in_order.size(), 300U);
    EXPECT_EQ(got.in_order.rbegin()->first - got.in_order.begin()->first + 1, got.in_order.size());
    EXPECT_EQ(got.mid, "v0");
    EXPECT_GE(got.sender_reports, 1U);
  }
  EXPECT_GT(statistics_of(0).retransmitted_packets, 0U);
}

TEST_F(Bridge, relays_without_browsers_go_on_beside_them) {
  publisher();
  viewer(2);
  const srtp::MasterKey key = make_key(1);
  const srtp::MasterKey viewer_key = make_key(2);
  relay::RelayDescription description = camera("other", &key);
  description.from.media[0].ports = {kCamera, std::nullopt};
  description.to.push_back(screen(0, &viewer_key));
  ASSERT_TRUE(world_.engine.add_relay(std::move(description)));
  PublisherOptions options = at_camera();
  options.rtp_port = options.rtcp_port = kCamera;
  options.rtcp = options.rtp;
  Publisher source(world_, options, &key);
  Viewer screen_viewer(world_, at_screen(0), &viewer_key);
  source.start();
  world_.run_for(2s);
  expect_flawless(screen_viewer);
  expect_gaps_of_the_source(screen_viewer);
}

}  // namespace
}  // namespace runnel::simulation
