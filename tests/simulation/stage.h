// Keys and relays for scenarios.
#pragma once

#include <string>

#include "core/relay/relay_description.h"
#include "tests/simulation/publisher.h"
#include "tests/simulation/viewer.h"

namespace runnel::simulation {

using relay::PortIndex;

/// A key of the profile's length; the same for the same number.
[[nodiscard]] srtp::MasterKey make_key(
    std::uint8_t number, srtp::Profile profile = srtp::Profile::aes_cm_128_hmac_sha1_80);

/// Settings with that key.
[[nodiscard]] relay::SrtpSettings with_key(const srtp::MasterKey& key);

[[nodiscard]] rtp::Codec video_codec();
[[nodiscard]] rtp::Codec audio_codec();

// The ports of the usual relay: a source with RTCP on its own port, and receivers on one more pair.
inline constexpr PortIndex kSourceRtp{0};
inline constexpr PortIndex kSourceRtcp{1};
inline constexpr PortIndex kShared{2};
inline constexpr PortIndex kFirstReceiver{10};  // the dedicated port of the first receiver, and on

[[nodiscard]] constexpr PortIndex receiver_port(std::size_t number) {
  return static_cast<PortIndex>(static_cast<std::size_t>(kFirstReceiver) + number);
}

/// One video source under `key` (nullptr: plain RTP).
[[nodiscard]] relay::RelayDescription camera(const std::string& stream, const srtp::MasterKey* key);
/// A receiver leg with one medium, rtcp-mux, on a dedicated port, to `peer_address(100 + number)`.
[[nodiscard]] relay::ReceiverLeg screen(std::size_t number, const srtp::MasterKey* key);
/// The peer for it.
[[nodiscard]] ViewerOptions at_screen(std::size_t number);
/// A receiver leg with one medium that gets messages by `channel`, and the peer for it.
[[nodiscard]] relay::ReceiverLeg listener(relay::ChannelId channel);
[[nodiscard]] ViewerOptions at_listener(relay::ChannelId channel);
/// The peer for `camera`.
[[nodiscard]] PublisherOptions at_camera();
/// The same by message, for relay 0.
[[nodiscard]] PublisherOptions at_channel(relay::ChannelId channel);
/// Lets another publisher go on where `before` is, far enough ahead that nobody could mistake the
/// packets of the one for those of the other.
void number_after(Publisher& publisher, const Publisher& before);

/// The usual stage: one SRTP camera, `viewers` SRTP screens with keys of their own.
class Stage {
 public:
  explicit Stage(std::size_t viewer_count = 1, relay::EngineLimits limits = {},
                 std::uint64_t seed = 1, PublisherOptions publisher_options = at_camera());

  [[nodiscard]] Viewer& viewer(std::size_t index = 0) { return *viewers[index]; }
  [[nodiscard]] relay::SourceMediumStatistics source() const {
    return world.engine.statistics(0).from.at(0);
  }
  [[nodiscard]] relay::ReceiverMediumStatistics receiver(std::size_t index = 0) const {
    return world.engine.statistics(0).to.at(index).media.at(0);
  }

  World world;
  srtp::MasterKey source_key = make_key(1);
  std::vector<srtp::MasterKey> viewer_keys;
  std::vector<std::unique_ptr<Viewer>> viewers;
  std::unique_ptr<Publisher> publisher;
};

}  // namespace runnel::simulation
