// Both ends of one PeerConnection, in tests of who offers what.
#pragma once

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/negotiation/peer_connection.h"
#include "core/negotiation/publication.h"
#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {

using rtp::MediaKind;

inline Track track(MediaKind kind, const std::string& rtpmap, const std::string& parameters = "") {
  Track made{std::string(rtp::to_string(kind)), rtp::Codec::parse(kind, rtpmap).value()};
  made.codec.format_parameters = parameters;
  return made;
}
inline const Track kOpus = track(MediaKind::audio, "opus/48000/2", "minptime=10;useinbandfec=1");
inline const Track kVp8 = track(MediaKind::video, "VP8/90000");
inline const Track kH264 =
    track(MediaKind::video, "H264/90000", "packetization-mode=1;profile-level-id=42e01f");

inline SentSource source(std::uint32_t ssrc) {
  return {ssrc, ssrc + 1, "cname", "stream", "track" + std::to_string(ssrc)};
}

/// A browser's answer to an offer of ours: it takes what is in the m-line, and receives it.
inline std::string answer_to(const std::string& offer) {
  std::string text =
      without(without(without(without(offer, "a=ssrc"), "a=msid"), "a=ice-lite"), "a=candidate");
  for (std::size_t at; (at = text.find("a=sendonly")) != std::string::npos;) {
    text.replace(at, 10, "a=recvonly");
  }
  for (std::size_t at; (at = text.find("a=setup:actpass")) != std::string::npos;) {
    text.replace(at, 15, "a=setup:active");
  }
  for (std::size_t at; (at = text.find("oursides")) != std::string::npos;) {
    text.replace(at, 8, "theirend");
  }
  return text;
}

class PeerConnectionTest : public testing::Test {
 protected:
  std::string add(const Track& wanted, std::uint32_t ssrc) {
    auto mid = connection.add(wanted, source(ssrc));
    EXPECT_TRUE(mid) << mid.error().to_string();
    return mid.value_or("");
  }
  Written offer() { return Written(connection.write_offer(local_transport())); }
  std::vector<Outcome> read(const std::string& text) {
    auto outcomes = connection.read_answer(text);
    EXPECT_TRUE(outcomes) << outcomes.error().to_string();
    return outcomes.value_or(std::vector<Outcome>());
  }
  std::vector<Outcome> exchange() { return read(answer_to(offer().text())); }

  /// The peer publishes first.
  Written publish(const std::string& text) {
    const auto peers = connection.read_offer(text);
    EXPECT_TRUE(peers) << peers.error().to_string();
    std::vector<AgreedMedium> agreed;
    const auto tracks = choose_publication(*peers).value();
    for (const PublishedTrack& published : tracks) agreed.push_back(published.medium);
    return Written(connection.write_answer(*peers, media_of(agreed), local_transport()));
  }

  PeerConnection connection{77};
};

}  // namespace runnel::negotiation
