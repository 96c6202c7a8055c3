// Telephone events (RFC 4733), which travel between the packets of an audio track.
#include <array>

#include <gtest/gtest.h>

#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

constexpr std::uint8_t kAudioType = 111;
constexpr std::uint8_t kPublishersEvents = 110;
constexpr std::uint8_t kViewersEvents = 126;
constexpr std::uint32_t kSsrc = 0x4444;

class BrowserEvents : public BrowserStage {
 protected:
  BrowserEvents() {
    relay::SourceLeg source = telephone_.source_leg();
    set_audio(source.media[0], kPublishersEvents);
    EXPECT_TRUE(world_.engine.add_relay({.stream = "call", .from = std::move(source), .to = {}}));
    world_.run_for(1s);
  }
  template <typename Medium>
  static void set_audio(Medium& medium, std::optional<std::uint8_t> events) {
    if constexpr (requires { medium.codec; }) {
      medium.codec = *rtp::Codec::parse(rtp::MediaKind::audio, "opus/48000/2");
    }
    medium.payload_type = kAudioType;
    medium.webrtc->retransmission_payload_type.reset();
    medium.webrtc->feedback = {};
    medium.webrtc->event_payload_type = events;
  }
  Browser& listener(std::uint16_t number, std::optional<std::uint8_t> events) {
    Browser& browser = add(number);
    relay::ReceiverLeg leg = browser.receiver_leg("a0");
    set_audio(leg.media[0], events);
    EXPECT_TRUE(world_.engine.add_receiver(0, std::move(leg)));
    world_.drain();
    world_.run_for(1s);
    return browser;
  }
  void send(std::uint8_t payload_type) {
    std::array<std::uint8_t, 64> packet{};
    const std::size_t header = rtp::write_header({.payload_type = payload_type,
                                                  .sequence_number = number_++,
                                                  .timestamp = {960U * number_},
                                                  .ssrc = kSsrc,
                                                  .contributing_sources = {},
                                                  .extension_profile = std::nullopt,
                                                  .extension_data = {}},
                                                 packet);
    telephone_.peer.send(srtp::PacketKind::rtp, ByteView(packet).first(header + 4));
    telephone_.flush();
    world_.run_for(100ms);
  }

  Browser& telephone_ = add(1);
  std::uint16_t number_ = 100;
};

TEST_F(BrowserEvents, reach_a_listener_under_the_payload_type_that_it_has_agreed_on) {
  Browser& listener_one = listener(2, kViewersEvents);
  send(kAudioType);
  send(kPublishersEvents);
  const Received& got = listener_one.received[world_.engine.receiver_ssrc({0, 0, 0})];
  EXPECT_EQ(got.packets, 2U);
  EXPECT_EQ(got.payload_type, kViewersEvents);
  send(kAudioType);
  EXPECT_EQ(got.payload_type, kAudioType);
}

TEST_F(BrowserEvents, are_left_out_for_a_listener_that_knows_none) {
  Browser& listener_one = listener(2, std::nullopt);
  send(kAudioType);
  send(kPublishersEvents);
  send(kAudioType);
  EXPECT_EQ(listener_one.received[world_.engine.receiver_ssrc({0, 0, 0})].packets, 2U);
  const auto statistics = world_.engine.statistics(0);
  EXPECT_EQ(statistics.to[0].media[0].drops[DropReason::unknown_payload_type], 1U);
}

}  // namespace
}  // namespace runnel::simulation
