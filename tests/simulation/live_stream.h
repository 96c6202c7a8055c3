// A stream that is live, and whose publisher and viewers come and go.
#pragma once

#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {

inline constexpr PortIndex kOtherSource{3};

/// A camera without viewers, running for a second.
class LiveStream : public testing::Test {
 protected:
  LiveStream() {
    EXPECT_TRUE(world_.engine.add_relay(camera("camera", &source_key_)));
    publisher_ = std::make_unique<Publisher>(world_, at_camera(), &source_key_);
    publisher_->start();
    world_.run_for(1s);
  }
  /// The number of a viewer that comes now.
  std::size_t join(std::size_t number) {
    viewers_.push_back(std::make_unique<Viewer>(world_, at_screen(number), &viewer_key_));
    const auto added = world_.engine.add_receiver(0, screen(number, &viewer_key_));
    EXPECT_TRUE(added);
    world_.drain();
    return added.value_or(0);
  }
  /// A source like the camera, under another key on another port.
  relay::SourceLeg other_source() {
    relay::SourceLeg leg = camera("", &other_key_).from;
    leg.media[0].ports = {kOtherSource, std::nullopt};
    return leg;
  }
  PublisherOptions at_other_source() {
    PublisherOptions options;
    options.rtp = options.rtcp = peer_address(7, 40000);
    options.rtp_port = options.rtcp_port = kOtherSource;
    options.ssrc = 0x77777777;
    return options;
  }
  relay::SourceMediumStatistics source() { return world_.engine.statistics(0).from.at(0); }

  World world_;
  srtp::MasterKey source_key_ = make_key(1);
  srtp::MasterKey viewer_key_ = make_key(2);
  srtp::MasterKey other_key_ = make_key(3);
  std::unique_ptr<Publisher> publisher_;
  std::vector<std::unique_ptr<Viewer>> viewers_;
};

}  // namespace runnel::simulation
