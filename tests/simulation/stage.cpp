#include "tests/simulation/stage.h"

#include <gtest/gtest.h>

namespace runnel::simulation {

srtp::MasterKey make_key(std::uint8_t number, srtp::Profile profile) {
  const auto& sizes = srtp::parameters(profile);
  Bytes bytes(sizes.key_size + sizes.salt_size);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(number * 37U + i * 11U + 1U);
  }
  return *srtp::MasterKey::create(profile, bytes);
}

relay::SrtpSettings with_key(const srtp::MasterKey& key) {
  relay::SrtpSettings settings;
  settings.profile = key.profile();
  settings.media_keys.push_back(key.clone());
  return settings;
}

rtp::Codec video_codec() {
  return *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
}

rtp::Codec audio_codec() {
  return *rtp::Codec::parse(rtp::MediaKind::audio, "opus/48000/2");
}

relay::RelayDescription camera(const std::string& stream, const srtp::MasterKey* key) {
  relay::RelayDescription relay;
  relay.stream = stream;
  if (key != nullptr) relay.from.srtp = with_key(*key);
  relay::SourceMedium& medium = relay.from.media.emplace_back();
  medium.name = "video";
  medium.codec = video_codec();
  medium.ports = {kSourceRtp, kSourceRtcp};
  return relay;
}

relay::ReceiverLeg screen(std::size_t number, const srtp::MasterKey* key) {
  relay::ReceiverLeg leg;
  if (key != nullptr) leg.srtp = with_key(*key);
  const SocketAddress destination = at_screen(number).rtp;
  relay::ReceiverMedium& medium = leg.media.emplace_back();
  medium.payload_type = 102;
  medium.ports = {receiver_port(number), std::nullopt};
  medium.rtp_destination = destination;
  medium.rtcp_destination = destination;
  return leg;
}

ViewerOptions at_screen(std::size_t number) {
  const SocketAddress address = peer_address(static_cast<std::uint16_t>(100 + number), 50000);
  return {.rtp = address,
          .rtcp = address,
          .rtp_port = receiver_port(number),
          .rtcp_port = receiver_port(number)};
}

relay::ReceiverLeg listener(relay::ChannelId channel) {
  relay::ReceiverLeg leg;
  leg.channel = channel;
  leg.media.emplace_back().payload_type = 102;
  return leg;
}

ViewerOptions at_listener(relay::ChannelId channel) {
  ViewerOptions options;
  options.channel = channel;
  return options;
}

PublisherOptions at_camera() {
  return {.rtp_port = kSourceRtp, .rtcp_port = kSourceRtcp};
}

PublisherOptions at_channel(relay::ChannelId channel) {
  PublisherOptions options;
  options.channel = channel;
  return options;
}

void number_after(Publisher& publisher, const Publisher& before) {
  publisher.packets = before.packets + 100'000;
  publisher.frames = before.frames + 100'000;
}

Stage::Stage(std::size_t viewer_count, relay::EngineLimits limits, std::uint64_t seed,
             PublisherOptions publisher_options)
    : world(limits, seed) {
  auto relay = camera("camera", &source_key);
  for (std::size_t i = 0; i < viewer_count; ++i) {
    viewer_keys.push_back(make_key(static_cast<std::uint8_t>(2 + i)));
    relay.to.push_back(screen(i, &viewer_keys.back()));
  }
  EXPECT_TRUE(world.engine.add_relay(std::move(relay)));
  for (std::size_t i = 0; i < viewer_count; ++i) {
    viewers.push_back(std::make_unique<Viewer>(world, at_screen(i), &viewer_keys[i]));
  }
  publisher = std::make_unique<Publisher>(world, publisher_options, &source_key);
}

}  // namespace runnel::simulation
