#include "core/signalling/codec_name.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/signalling/field_types.h"

namespace runnel::signalling {
namespace {

using rtp::Codec;
using rtp::MediaKind;

constexpr std::uint8_t kLastStatic = 34;
constexpr std::size_t kLongestCodec = 64;
constexpr std::size_t kLongestParameters = 1024;

struct WellKnown {
  std::string_view name;
  MediaKind kind;
};
constexpr WellKnown kWellKnown[] = {
    {"VP8", MediaKind::video},       {"VP9", MediaKind::video},
    {"AV1", MediaKind::video},       {"H264", MediaKind::video},
    {"H265", MediaKind::video},      {"H266", MediaKind::video},
    {"opus", MediaKind::audio},      {"PCMU", MediaKind::audio},
    {"PCMA", MediaKind::audio},      {"G722", MediaKind::audio},
    {"L16", MediaKind::audio},       {"mpeg4-generic", MediaKind::audio},
    {"MP4A-LATM", MediaKind::audio}, {"telephone-event", MediaKind::audio},
};

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

bool is_same_codec(const Codec& a, const Codec& b) noexcept {
  const auto channels = [](const Codec& codec) { return codec.channels == 0 ? 1 : codec.channels; };
  return equal_ignoring_case(a.name, b.name) && a.clock_rate == b.clock_rate &&
         channels(a) == channels(b);
}

std::optional<std::uint8_t> static_type_of(const Codec& codec) {
  for (std::uint8_t type = 0; type <= kLastStatic; ++type) {
    const auto assigned = rtp::static_payload_type(type);
    if (assigned && is_same_codec(*assigned, codec)) return type;
  }
  return std::nullopt;
}

/// The kind is set later.
std::optional<Codec> read_rtpmap(const Field& field) {
  const auto text = field.text({1, kLongestCodec});
  if (!text) return std::nullopt;
  auto codec = Codec::parse(MediaKind::video, *text);
  if (!codec) {
    field.refuse(quote(*text) +
                 " is no codec; write NAME/CLOCK-RATE or NAME/CLOCK-RATE/CHANNELS, such as "
                 "\"VP8/90000\" or \"opus/48000/2\"");
  }
  return codec;
}

/// Parameters end up in session descriptions, of which each line is a statement.
std::optional<std::string> read_parameters(const Field& field) {
  const auto text = field.text({0, kLongestParameters});
  if (!text) return std::nullopt;
  if (std::all_of(text->begin(), text->end(), [](char c) { return c >= 0x20 && c < 0x7f; })) {
    return std::string(*text);
  }
  field.refuse("has characters that are not printable ASCII");
  return std::nullopt;
}

std::optional<MediaKind> known_kind(const Codec& codec) {
  for (const WellKnown& known : kWellKnown) {
    if (equal_ignoring_case(known.name, codec.name)) return known.kind;
  }
  const auto type = static_type_of(codec);
  return type ? std::optional(rtp::static_payload_type(*type)->kind) : std::nullopt;
}

}  // namespace

std::optional<MediaKind> read_kind(const Field& field) {
  const auto text = field.text({1, 16});
  if (!text) return std::nullopt;
  if (*text == "audio") return MediaKind::audio;
  if (*text == "video") return MediaKind::video;
  field.refuse(quote(*text) + R"( is no kind; write "audio" or "video")");
  return std::nullopt;
}

std::optional<NamedCodec> read_codec(const Field& track) {
  std::optional<std::uint8_t> payload_type;
  std::optional<Codec> codec;
  std::optional<MediaKind> kind;
  track.read_into(payload_type, "payload_type", read_payload_type);
  track.read_into(codec, "codec", read_rtpmap);
  track.read_into(kind, "kind", read_kind);

  const auto assigned = payload_type ? rtp::static_payload_type(*payload_type) : std::nullopt;
  if (!codec && !track.find("codec")) codec = assigned;
  if (!codec) {
    (void)track.require("codec", "one such as \"VP8/90000\"");
    return std::nullopt;
  }
  if (assigned && !is_same_codec(*assigned, *codec)) {
    track.refuse("payload type " + std::to_string(*payload_type) + " means " + assigned->rtpmap() +
                 "; use 96 to 127 for another codec");
    return std::nullopt;
  }
  const auto known = known_kind(*codec);
  if (!kind && !known) {
    (void)track.require("kind", R"("audio" or "video", which this codec does not tell)");
    return std::nullopt;
  }
  if (kind && known && *kind != *known) {
    track.refuse(codec->name + " is " + std::string(rtp::to_string(*known)) + ", and not " +
                 std::string(rtp::to_string(*kind)));
    return std::nullopt;
  }
  codec->kind = known.value_or(kind.value_or(MediaKind::video));
  track.read_into(codec->format_parameters, "fmtp", read_parameters);
  if (!payload_type) payload_type = static_type_of(*codec);
  return NamedCodec{std::move(*codec), payload_type};
}

}  // namespace runnel::signalling
