// What a payload type stands for: kind, encoding name, clock rate, channels, format parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace runnel::rtp {

enum class MediaKind : std::uint8_t { audio, video };
[[nodiscard]] std::string_view to_string(MediaKind kind) noexcept;

struct Codec {
  MediaKind kind = MediaKind::video;
  std::string name;  // as written by the user: "H264", "opus"
  std::uint32_t clock_rate = 90000;
  std::uint8_t channels = 0;      // 0: not given
  std::string format_parameters;  // the part of a=fmtp after the payload type; may be empty

  /// "H264/90000", "opus/48000/2" as in a=rtpmap.
  [[nodiscard]] std::string rtpmap() const;
  /// Parses the rtpmap form. Name: RFC 4855 token characters; clock rate 1 to 1,000,000; channels 1
  /// to 255.
  [[nodiscard]] static std::optional<Codec> parse(MediaKind kind, std::string_view rtpmap);

  friend bool operator==(const Codec&, const Codec&) = default;
};

/// Static assignments of RFC 3551 ("PCMU/8000" for 0, and so on); nullopt for dynamic or unknown
/// types.
[[nodiscard]] std::optional<Codec> static_payload_type(std::uint8_t payload_type);

}  // namespace runnel::rtp
