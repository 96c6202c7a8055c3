// A stage for browsers that publish and watch, which also looks that no key is given away.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/rtp/packet_classifier.h"
#include "tests/simulation/browser.h"

namespace runnel::simulation {

/// The same SSRC and number must mean the same packet to the last bit: with AES-GCM, another one
/// under the same nonce would give the key away. For fewer than 2^15 packets of each SSRC.
class NonceAudit {
 public:
  void look_at(const relay::OutgoingDatagram& datagram) {
    if (rtp::classify(datagram.bytes) != rtp::PacketClass::rtp) return;
    const Key key{datagram.destination.ip, load_be32(datagram.bytes.data() + 8),
                  load_be16(datagram.bytes.data() + 2)};
    const auto [known, is_new] =
        seen_.try_emplace(key, datagram.bytes.begin(), datagram.bytes.end());
    if (is_new) return;
    ++repeated;
    const Bytes again(datagram.bytes.begin(), datagram.bytes.end());
    EXPECT_EQ(known->second, again) << "two packets under one nonce";
  }
  std::uint64_t repeated = 0;

 private:
  using Key = std::tuple<IpAddress, std::uint32_t, std::uint16_t>;
  std::map<Key, Bytes> seen_;
};

class BrowserStage : public testing::Test {
 protected:
  explicit BrowserStage(relay::EngineLimits limits = {})
      : world_(limits, transport::TransportLimits{}) {
    world_.engine.add_shared_port(kPeerPort);
    world_.on_sent = [this](const relay::OutgoingDatagram& datagram) { audit_.look_at(datagram); };
  }

  Browser& add(std::uint16_t number) {
    browsers_.push_back(std::make_unique<Browser>(world_, number));
    browsers_.back()->connect();
    return *browsers_.back();
  }
  /// One that sends VP8 with one encoding, and is the source of `stream`.
  Browser& publisher(const std::string& stream = "camera", std::uint16_t number = 1) {
    Browser& browser = add(number);
    browser.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
    EXPECT_TRUE(
        world_.engine.add_relay({.stream = stream, .from = browser.source_leg(), .to = {}}));
    browser.start_sending();
    world_.run_for(1s);
    return browser;
  }
  static void add_encodings(Browser& browser, std::uint32_t first_ssrc = 0x1000) {
    std::uint32_t ssrc = first_ssrc;
    std::uint32_t height = 180;
    for (const char* rid : {"l", "m", "h"}) {
      SentEncoding encoding{.rid = rid, .ssrc = ssrc, .retransmission_ssrc = ssrc + 1};
      encoding.height = height;
      encoding.width = 2 * height;
      encoding.timestamp = ssrc * 1234;
      encoding.picture_id = static_cast<std::uint16_t>(ssrc & 0x7fff);
      browser.encodings.push_back(encoding);
      ssrc += 0x100;
      height *= 2;
    }
  }
  /// One that sends three encodings: l, m and h.
  Browser& simulcaster() {
    Browser& browser = add(1);
    add_encodings(browser);
    EXPECT_TRUE(world_.engine.add_relay(
        {.stream = "camera", .from = browser.source_leg({"l", "m", "h"}), .to = {}}));
    browser.start_sending();
    world_.run_for(1s);
    return browser;
  }
  Browser& viewer(std::uint16_t number, relay::LayerWish layers = {}) {
    return watch(add(number), layers);
  }
  Browser& watch(Browser& browser, relay::LayerWish layers = {}) {
    const auto added = world_.engine.add_receiver(0, browser.receiver_leg("v0", layers));
    EXPECT_TRUE(added);
    world_.drain();
    return browser;
  }
  void take_over(relay::SourceLeg leg) {
    EXPECT_TRUE(world_.engine.replace_source(0, std::move(leg)));
    world_.drain();
  }
  std::uint32_t ssrc_of(std::size_t receiver) {
    return world_.engine.receiver_ssrc({0, receiver, 0});
  }
  const Received& got_by(Browser& browser, std::size_t receiver) {
    return browser.received[ssrc_of(receiver)];
  }
  relay::ReceiverMediumStatistics statistics_of(std::size_t receiver) {
    return world_.engine.statistics(0).to.at(receiver).media.at(0);
  }
  relay::SourceMediumStatistics source(std::size_t relay = 0) {
    return world_.engine.statistics(relay).from.at(0);
  }

  World world_;
  NonceAudit audit_;
  std::vector<std::unique_ptr<Browser>> browsers_;
};

}  // namespace runnel::simulation
