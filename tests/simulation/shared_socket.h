// Cameras and screens of many streams on the shared UDP port.
#pragma once

#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {

/// Cameras with keys of their own, told apart by SSRC.
class SharedSocket : public testing::Test {
 protected:
  SharedSocket() { world_.engine.add_shared_port(kShared); }

  static relay::RelayDescription camera_with(const std::string& stream, const srtp::MasterKey& key,
                                             std::uint32_t ssrc) {
    auto relay = camera(stream, &key);
    relay.from.media[0].ports = {kShared, std::nullopt};
    relay.from.media[0].ssrc = ssrc;
    return relay;
  }
  static PublisherOptions publisher_at(std::uint16_t host, std::uint32_t ssrc) {
    PublisherOptions options;
    options.rtp = options.rtcp = peer_address(host, 40000);
    options.rtp_port = options.rtcp_port = kShared;
    options.ssrc = ssrc;
    return options;
  }
  static ViewerOptions viewer_at(std::uint16_t host) {
    const SocketAddress address = peer_address(host, 50000);
    return {.rtp = address, .rtcp = address, .rtp_port = kShared, .rtcp_port = kShared};
  }
  static relay::ReceiverLeg leg_to(const ViewerOptions& viewer, const srtp::MasterKey& key) {
    auto leg = screen(0, &key);
    leg.media[0].ports = {kShared, std::nullopt};
    leg.media[0].rtp_destination = viewer.rtp;
    leg.media[0].rtcp_destination = viewer.rtcp;
    return leg;
  }
  /// Waits for RTCP of the viewer's SSRC.
  static relay::ReceiverLeg leg_for(const ViewerOptions& viewer, const srtp::MasterKey& key) {
    auto leg = leg_to(viewer, key);
    leg.latch = relay::Latch::first;
    leg.media[0].rtp_destination.reset();
    leg.media[0].rtcp_destination.reset();
    leg.media[0].reply_ssrc = viewer.ssrc;
    return leg;
  }
  relay::SourceMediumStatistics source(std::size_t relay = 0) {
    return world_.engine.statistics(relay).from.at(0);
  }

  World world_;
  srtp::MasterKey key_ = make_key(1);
  srtp::MasterKey other_key_ = make_key(2);
  srtp::MasterKey viewer_key_ = make_key(3);
};

}  // namespace runnel::simulation
