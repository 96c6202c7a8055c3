#include "core/negotiation/offered_codec.h"

#include <string>
#include <string_view>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/h264_profile.h"

namespace runnel::negotiation {
namespace {

using rtp::Codec;
using rtp::ExtensionKind;
using rtp::MediaKind;

constexpr std::string_view kUsualProfileAndLevel = "42e01f";

void set_parameter(std::string& parameters, std::string_view name, std::string_view value) {
  if (!parameters.empty()) parameters += ';';
  parameters.append(name).append("=").append(value);
}

/// Profiles and constraint flags of decoders that take the profile.
std::vector<std::string_view> wider_profiles(H264Profile profile) {
  switch (profile) {
    case H264Profile::constrained_baseline:
      return {};
    case H264Profile::baseline:
      return {"42e0"};
    case H264Profile::main:
      return {"6400", "f400"};
    case H264Profile::constrained_high:
      return {"6400", "f400"};
    case H264Profile::high:
      return {"640c", "f400"};
    case H264Profile::high_444_predictive:
      return {};
  }
  return {};
}

/// The track's own parameters, and behind them what it leaves open.
Codec complete_h264(const Codec& codec, std::string_view profile_level_id) {
  Codec complete = codec;
  complete.format_parameters.clear();
  set_parameter(complete.format_parameters, "level-asymmetry-allowed", "1");
  set_parameter(complete.format_parameters, "packetization-mode",
                format_parameter(codec.format_parameters, "packetization-mode").value_or("1"));
  set_parameter(complete.format_parameters, "profile-level-id", profile_level_id);
  return complete;
}

std::vector<Codec> h264_variants(const Codec& codec) {
  const std::string own(format_parameter(codec.format_parameters, "profile-level-id")
                            .value_or(kUsualProfileAndLevel));
  std::vector<Codec> variants = {complete_h264(codec, own)};
  // SPS and PPS that came by SDP alone help only where the media is.
  if (const auto sets = format_parameter(codec.format_parameters, "sprop-parameter-sets")) {
    set_parameter(variants[0].format_parameters, "sprop-parameter-sets", *sets);
  }
  const auto profile = h264_profile(own);
  if (!profile) return variants;
  for (const std::string_view wider : wider_profiles(*profile)) {
    variants.push_back(complete_h264(codec, std::string(wider) + own.substr(4)));
  }
  return variants;
}

}  // namespace

std::vector<Codec> offered_variants(const Codec& codec) {
  if (is_same_name(codec.name, "H264")) return h264_variants(codec);
  Codec offered = codec;
  offered.format_parameters = media_parameters(codec.format_parameters);
  if (is_same_name(codec.name, "opus")) offered.channels = 2;  // RFC 7587 §7: always so written
  if (offered.channels == 1) offered.channels = 0;
  return {offered};
}

std::optional<std::uint8_t> static_number(const Codec& codec) {
  constexpr std::uint8_t kLastStatic = 34;
  for (std::uint8_t number = 0; number <= kLastStatic; ++number) {
    const auto assigned = rtp::static_payload_type(number);
    if (assigned && suitability(codec, *assigned) != 0) return number;
  }
  return std::nullopt;
}

rtp::FeedbackKinds offered_feedback(MediaKind kind) noexcept {
  rtp::FeedbackKinds feedback;
  feedback.transport_wide = true;
  if (kind == MediaKind::audio) return feedback;
  feedback.nack = true;
  feedback.picture_loss = true;
  feedback.intra_request = true;
  feedback.remb = true;
  return feedback;
}

bool is_offered(ExtensionKind extension, MediaKind kind) noexcept {
  switch (extension) {
    case ExtensionKind::mid:
    case ExtensionKind::absolute_send_time:
    case ExtensionKind::transport_wide_number:
    case ExtensionKind::absolute_capture_time:
      return true;
    case ExtensionKind::audio_level:
      return kind == MediaKind::audio;
    case ExtensionKind::video_orientation:
    case ExtensionKind::color_space:
      return kind == MediaKind::video;
    default:
      return false;
  }
}

}  // namespace runnel::negotiation
