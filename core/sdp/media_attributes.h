// Attributes that say what the packets of a medium are: payload types, header extensions, sources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sdp/direction.h"

namespace runnel::sdp {

// Each type is the value of one attribute: parse() and to_string() are of what follows the colon.
// kForm says what it looks like, for people. nullopt: it is not of that form.

/// RFC 8866 §6.6
struct RtpMap {
  static constexpr std::string_view kName = "rtpmap";
  static constexpr std::string_view kForm = "PAYLOAD-TYPE NAME/CLOCK-RATE[/CHANNELS]";
  std::uint8_t payload_type = 0;  // 0 to 127
  std::string encoding;           // "opus/48000/2", not looked into
  [[nodiscard]] static std::optional<RtpMap> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8866 §6.15
struct FormatParameters {
  static constexpr std::string_view kName = "fmtp";
  static constexpr std::string_view kForm = "PAYLOAD-TYPE PARAMETERS";
  std::uint8_t payload_type = 0;
  std::string parameters;  // "apt=96", "0-15"
  [[nodiscard]] static std::optional<FormatParameters> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 4585 §4.2
struct RtcpFeedback {
  static constexpr std::string_view kName = "rtcp-fb";
  static constexpr std::string_view kForm = "PAYLOAD-TYPE KIND, or * KIND";
  std::optional<std::uint8_t> payload_type;  // nullopt: '*', all of the medium
  std::string kind;                          // "nack pli"
  [[nodiscard]] static std::optional<RtcpFeedback> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8285 §5
struct ExtensionMap {
  static constexpr std::string_view kName = "extmap";
  static constexpr std::string_view kForm = "ID[/DIRECTION] URI";
  std::uint16_t id = 0;  // 1 to 255; 4096 to 4351: to be numbered by the other side
  std::optional<Direction> direction;
  std::string uri;
  std::string attributes;  // after the URI; mostly empty
  [[nodiscard]] static std::optional<ExtensionMap> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 5576 §4.1
struct SourceAttribute {
  static constexpr std::string_view kName = "ssrc";
  static constexpr std::string_view kForm = "SSRC [ATTRIBUTE[:VALUE]]";
  std::uint32_t ssrc = 0;
  std::string attribute;  // "cname"; may be empty
  std::string value;
  [[nodiscard]] static std::optional<SourceAttribute> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 5576 §4.2
struct SourceGroup {
  static constexpr std::string_view kName = "ssrc-group";
  static constexpr std::string_view kForm = "SEMANTICS SSRC...";
  std::string semantics;  // "FID"
  std::vector<std::uint32_t> ssrcs;
  [[nodiscard]] static std::optional<SourceGroup> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8830 §2
struct MediaStreamId {
  static constexpr std::string_view kName = "msid";
  static constexpr std::string_view kForm = "STREAM [TRACK]";
  std::string stream;  // "-": of no stream
  std::string track;   // may be empty
  [[nodiscard]] static std::optional<MediaStreamId> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8851 §10
struct Rid {
  static constexpr std::string_view kName = "rid";
  static constexpr std::string_view kForm = "ID send|recv [RESTRICTIONS]";
  std::string id;  // letters, digits, '-' and '_'
  Direction direction = Direction::sendonly;
  std::string restrictions;  // "pt=96;max-width=1280"; may be empty
  [[nodiscard]] static std::optional<Rid> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8853 §5.1
struct Simulcast {
  static constexpr std::string_view kName = "simulcast";
  static constexpr std::string_view kForm = "send|recv RID[,RID...][;RID...]";
  struct Alternative {
    std::string rid;
    bool paused = false;  // "~rid"
    friend bool operator==(const Alternative&, const Alternative&) = default;
  };
  /// One for each simulcast stream, the best alternative first.
  using Streams = std::vector<std::vector<Alternative>>;
  Streams send;
  Streams recv;
  [[nodiscard]] static std::optional<Simulcast> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

}  // namespace runnel::sdp
