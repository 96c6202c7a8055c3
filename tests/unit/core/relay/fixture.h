// Relays and randomness for tests of the whole engine.
#pragma once

#include <memory>
#include <random>
#include <string>

#include "core/relay/engine.h"

namespace runnel::relay {

class SeededRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(generator_());
  }

 private:
  std::mt19937 generator_{1};
};

inline srtp::MasterKey make_key(std::uint8_t number) {
  std::array<std::uint8_t, 30> bytes{};
  bytes.fill(number);
  return *srtp::MasterKey::create(srtp::Profile::aes_cm_128_hmac_sha1_80, bytes);
}

inline SrtpSettings with_key(std::uint8_t number) {
  SrtpSettings settings;
  settings.media_keys.push_back(make_key(number));
  return settings;
}

inline SocketAddress host(std::uint16_t port) {
  return {IpAddress::v4({192, 0, 2, 7}), port};
}

inline SourceMedium source_on(std::uint16_t port, std::uint8_t payload_type = 96) {
  SourceMedium medium;
  medium.name = "video";
  medium.codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
  medium.payload_type = payload_type;
  medium.ports.rtp = PortIndex{port};
  return medium;
}

/// One medium from `port` to host(`destination`).
inline ReceiverLeg receiver_on(std::uint16_t port, std::uint16_t destination) {
  ReceiverLeg leg;
  ReceiverMedium& medium = leg.media.emplace_back();
  medium.ports.rtp = PortIndex{port};
  medium.rtp_destination = host(destination);
  medium.rtcp_destination = host(destination);
  return leg;
}

inline RelayDescription relay_on(const std::string& stream, std::uint16_t port) {
  RelayDescription relay;
  relay.stream = stream;
  relay.from.media.push_back(source_on(port));
  return relay;
}

}  // namespace runnel::relay
