// A peer that says it is where somebody else sends from: a lite agent cannot ask whether that is
// so.
#include <gtest/gtest.h>

#include "tests/simulation/browser_stage.h"
#include "tests/simulation/publisher.h"
#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

class BrowserSpoofing : public BrowserStage {
 protected:
  BrowserSpoofing() {
    options_.rtp = options_.rtcp = peer_address(7, 40'000);
    options_.rtp_port = options_.rtcp_port = kPeerPort;
    relay::SourceMedium medium;
    medium.name = "video";
    medium.codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
    medium.payload_type = options_.payload_type;
    medium.ports = {kPeerPort, std::nullopt};
    medium.ssrc = options_.ssrc;
    relay::SourceLeg leg;
    leg.srtp.emplace();
    leg.srtp->media_keys.push_back(make_key(1));
    leg.media.push_back(std::move(medium));
    EXPECT_TRUE(world_.engine.add_relay({.stream = "camera", .from = std::move(leg), .to = {}}));
  }
  std::uint64_t packets() { return world_.engine.statistics(0).from.at(0).packets; }

  PublisherOptions options_;
  srtp::MasterKey key_ = make_key(1);
};

TEST_F(BrowserSpoofing, takes_nothing_from_a_camera_under_srtp) {
  Publisher camera(world_, options_, &key_);
  camera.start();
  world_.run_for(1s);
  Browser& liar = add(1);
  world_.run_for(1s);
  const std::uint64_t before = packets();
  EXPECT_GT(before, 0U);

  liar.address = options_.rtp;  // its packets seem to come from the camera
  liar.peer.check(world_.now);
  liar.flush();
  world_.run_for(2s);
  EXPECT_GT(packets(), before + 100);
}

}  // namespace
}  // namespace runnel::simulation
