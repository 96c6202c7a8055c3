// Offers of real clients, our side of a connection, and looks at what we write.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/negotiation/agreement.h"
#include "core/negotiation/answer.h"
#include "core/negotiation/offer.h"
#include "core/sdp/description.h"

namespace runnel::negotiation {

inline std::string fixture(const std::string& name) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/sdp/" + name + ".sdp", std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Offer offer_of(const std::string& text) {
  auto offer = parse_offer(text);
  EXPECT_TRUE(offer) << offer.error().to_string();
  return offer.value_or(Offer());
}

inline std::string error_of(const std::string& text) {
  const auto offer = parse_offer(text);
  return offer ? "" : offer.error().to_string();
}

/// The text with the first `from` replaced.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The text without all lines that begin so.
inline std::string without(const std::string& text, std::string_view beginning) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (!line.starts_with(beginning)) kept += line;
    at = end;
  }
  return kept;
}

inline LocalTransport local_transport() {
  return {.ufrag = "oursides",
          .password = "oursides0123456789abcdef",
          .fingerprints = {"sha-256 AA:BB"},
          .candidates = {"1 1 udp 2130706431 192.0.2.1 7000 typ host",
                         "2 1 tcp 1671430143 192.0.2.1 7001 typ host tcptype passive"}};
}

/// A description of ours, taken apart by our own parser.
class Written {
 public:
  explicit Written(const std::string& text) : text_(text) {
    auto parsed = sdp::parse(text);
    EXPECT_TRUE(parsed) << parsed.error().to_string();
    description_ = parsed.value_or(sdp::Description());
  }

  const std::string& text() const { return text_; }
  const sdp::Section& session() const { return description_.session; }
  const std::vector<sdp::MediaSection>& media() const { return description_.media; }
  const sdp::MediaSection& operator[](std::size_t index) const {
    return description_.media.at(index);
  }
  /// Whether the m-line has that attribute, such as "rtpmap:96 VP8/90000".
  bool has(std::size_t index, std::string_view attribute) const {
    for (const sdp::Line& line : description_.media.at(index).lines) {
      if (line.is_attribute() && line.value == attribute) return true;
    }
    return false;
  }
  std::string value(std::size_t index, std::string_view name) const {
    return std::string(description_.media.at(index).value(name).value_or("-"));
  }
  std::vector<std::string> values(std::size_t index, std::string_view name) const {
    std::vector<std::string> all;
    for (const sdp::Line* line : description_.media.at(index).all(name)) {
      all.emplace_back(line->attribute_value());
    }
    return all;
  }

 private:
  std::string text_;
  sdp::Description description_;
};

inline std::vector<LocalMedium> media_of(const std::vector<AgreedMedium>& agreed) {
  std::vector<LocalMedium> media;
  for (const AgreedMedium& medium : agreed) {
    media.push_back({medium, std::nullopt});
    if (sdp::sends(medium.direction)) {
      const auto number = static_cast<std::uint32_t>(1'000 + medium.section);
      media.back().source = SentSource{number, std::nullopt, "name", "stream", "track"};
      if (medium.retransmission_payload_type)
        media.back().source->retransmission_ssrc = number + 100;
    }
  }
  return media;
}

inline Written answer(const Offer& offer, const std::vector<AgreedMedium>& agreed) {
  return Written(write_answer(offer, media_of(agreed), local_transport(), {77, 1},
                              setup_for(offer.transport)));
}

}  // namespace runnel::negotiation
