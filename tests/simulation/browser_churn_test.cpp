// Streams, publishers, viewers and peers that come, change and go at random: nothing dangles,
// nothing spins, and no key is given away.
#include <random>

#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

class Churn : public BrowserStage, public testing::WithParamInterface<unsigned> {
 protected:
  struct Watching {
    std::size_t relay;
    std::size_t receiver;
    transport::PeerId peer;
  };

  std::size_t dice(std::size_t sides) { return generator_() % sides; }
  /// With one encoding or three.
  Browser& sender() {
    Browser& browser = add(next_number_++);
    if (dice(2) == 0) {
      add_encodings(browser, 0x1000U * next_number_);
    } else {
      browser.encodings.push_back(
          {.ssrc = 0x1000U * next_number_, .retransmission_ssrc = 0x1000U * next_number_ + 1});
    }
    browser.start_sending();
    return browser;
  }
  relay::SourceLeg leg_of(const Browser& browser) {
    return browser.encodings.size() == 3 ? browser.source_leg({"l", "m", "h"})
                                         : browser.source_leg();
  }
  void add_stream() {
    Browser& browser = sender();
    const auto relay = world_.engine.add_relay(
        {.stream = "s" + std::to_string(next_number_), .from = leg_of(browser), .to = {}});
    ASSERT_TRUE(relay);
    streams_[*relay] = browser.id;
  }
  std::size_t some_stream() {
    return std::next(streams_.begin(), static_cast<std::ptrdiff_t>(dice(streams_.size())))->first;
  }
  void remove_stream(std::size_t relay) {
    world_.engine.remove_relay(relay);
    leave(streams_.at(relay));
    for (const Watching& watching : watching_) {
      if (watching.relay == relay) leave(watching.peer);
    }
    std::erase_if(watching_, [relay](const Watching& each) { return each.relay == relay; });
    streams_.erase(relay);
  }
  void replace(std::size_t relay) {
    Browser& browser = sender();
    ASSERT_TRUE(world_.engine.replace_source(relay, leg_of(browser)));
    leave(std::exchange(streams_.at(relay), browser.id));
  }
  void detach(std::size_t relay) {
    world_.engine.detach_source(relay);
    leave(std::exchange(streams_.at(relay), std::nullopt));
  }
  void add_viewer(std::size_t relay) {
    Browser& browser = add(next_number_++);
    if (dice(3) == 0) {
      browser.adjust = [](relay::WebRtcMedium& medium) {
        medium.retransmission_payload_type.reset();
      };
    }
    const auto receiver = world_.engine.add_receiver(relay, browser.receiver_leg("v"));
    ASSERT_TRUE(receiver);
    watching_.push_back({relay, *receiver, browser.id});
    browser.repair(world_.engine.receiver_ssrc({relay, *receiver, 0}),
                   world_.engine.retransmission_ssrc({relay, *receiver, 0}));
  }
  void change_viewer() {
    if (watching_.empty()) return;
    const std::size_t which = dice(watching_.size());
    const Watching watching = watching_[which];
    constexpr std::array kRids{"", "l", "m", "h"};
    switch (dice(4)) {
      case 0:
        world_.engine.set_paused(watching.relay, watching.receiver, dice(2) == 0);
        break;
      case 1:
      case 2:
        world_.engine.set_layers({watching.relay, watching.receiver, 0},
                                 {.max_height = std::nullopt, .rid = kRids[dice(4)]});
        break;
      default:
        world_.engine.remove_receiver(watching.relay, watching.receiver);
        leave(watching.peer);
        watching_.erase(watching_.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  void disturb_browser() {
    Browser& browser = *browsers_[dice(browsers_.size())];
    if (!world_.transports->holds(browser.id)) return;
    switch (dice(4)) {
      case 0:
        browser.go_silent();
        break;
      case 1:
        browser.move_to(peer_address(next_number_++, 50'000));
        browser.check();
        break;
      default:
        for (SentEncoding& encoding : browser.encodings) encoding.active = dice(3) != 0;
    }
  }
  void leave(std::optional<transport::PeerId> peer) {
    if (!peer) return;
    world_.transports->remove(*peer);
    for (const auto& browser : browsers_) {
      if (browser->id == *peer) browser->go_silent();
    }
  }
  void change_something() {
    if (streams_.empty()) return add_stream();
    switch (dice(10)) {
      case 0:
        return streams_.size() < 3 ? add_stream() : remove_stream(some_stream());
      case 1:
        return replace(some_stream());
      case 2:
        return dice(3) == 0 ? detach(some_stream()) : disturb_browser();
      case 3:
      case 4:
      case 5:
        return add_viewer(some_stream());
      default:
        return change_viewer();
    }
  }

  std::mt19937 generator_{GetParam()};
  std::uint16_t next_number_ = 1;
  std::map<std::size_t, std::optional<transport::PeerId>> streams_;  // and whose they are
  std::vector<Watching> watching_;
};

TEST_P(Churn, leaves_everything_whole) {
  for (Link* link : {&world_.up, &world_.down}) {
    link->loss = 0.01;
    link->reordering = 0.02;
    link->jitter = 2ms;
  }
  for (int round = 0; round < 120; ++round) {
    change_something();
    world_.drain();
    world_.run_for(std::chrono::milliseconds(20 + dice(300)));
    for (const auto& [relay, peer] : streams_) {
      EXPECT_EQ(world_.engine.statistics(relay).has_source, peer.has_value());
    }
  }
  while (!streams_.empty()) {
    remove_stream(some_stream());
    world_.drain();
  }
  world_.run_for(1s);
  EXPECT_EQ(world_.engine.relay_count(), 0U);
  EXPECT_EQ(world_.transports->size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Churn, testing::Range(1U, 9U));

}  // namespace
}  // namespace runnel::simulation
