// An entry of `media` below `from`.
#include <algorithm>

#include "config/load_media.h"
#include "config/medium_fields.h"
#include "config/names.h"

namespace runnel::config {
namespace {

using rtp::MediaKind;

constexpr std::size_t kLongestFormat = 1'000;

/// What people half remember, and what the codecs' RFCs demand.
struct CommonCodec {
  MediaKind kind;
  std::string_view rtpmap;

  [[nodiscard]] std::string_view name() const { return rtpmap.substr(0, rtpmap.find('/')); }
};
constexpr CommonCodec kCommonCodecs[] = {
    {MediaKind::video, "H264/90000"}, {MediaKind::video, "H265/90000"},
    {MediaKind::video, "VP8/90000"},  {MediaKind::video, "VP9/90000"},
    {MediaKind::video, "AV1/90000"},  {MediaKind::audio, "opus/48000/2"},
    {MediaKind::audio, "PCMU/8000"},  {MediaKind::audio, "PCMA/8000"},
    {MediaKind::audio, "G722/8000"}};

std::string kind_name(MediaKind kind) {
  return std::string(rtp::to_string(kind));
}

std::string example(MediaKind kind) {
  return kind == MediaKind::video ? "H264/90000" : "opus/48000/2";
}

const CommonCodec* common_codec(std::string_view name) {
  const auto is_meant = [&](const CommonCodec& codec) {
    const std::string_view known = codec.name();
    return name.size() == known.size() &&
           std::ranges::equal(name, known, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  };
  const auto* found = std::find_if(std::begin(kCommonCodecs), std::end(kCommonCodecs), is_meant);
  return found == std::end(kCommonCodecs) ? nullptr : found;
}

/// Advice about a codec that is well-formed and yet unlikely to be what the sender uses.
void question_codec(const Value& value, const rtp::Codec& codec, std::uint8_t payload_type) {
  const auto fixed = rtp::static_payload_type(payload_type);
  if (fixed && fixed->rtpmap() != codec.rtpmap()) {
    value.warn("payload type " + std::to_string(payload_type) + " usually means " +
                   fixed->rtpmap() + " (RFC 3551)",
               "use a payload type from 96 to 127 for " + codec.rtpmap());
    return;
  }
  const CommonCodec* common = common_codec(codec.name);
  if (common == nullptr) return;
  const auto usual = rtp::Codec::parse(common->kind, common->rtpmap);
  const bool same_channels = std::max<int>(codec.channels, 1) == std::max<int>(usual->channels, 1);
  if (codec.clock_rate == usual->clock_rate && same_channels && codec.kind == usual->kind) return;
  value.warn(quote(codec.rtpmap()) + " as " + kind_name(codec.kind) + " is unusual",
             "receivers expect " + kind_name(common->kind) + " as \"" +
                 std::string(common->rtpmap) + "\"");
}

std::optional<rtp::Codec> load_codec(const Mapping& map, MediaKind kind,
                                     std::uint8_t payload_type) {
  const auto fixed = rtp::static_payload_type(payload_type);
  const auto value = map.find("codec");
  if (!value && fixed && fixed->kind == kind) return fixed;
  if (!value) {
    const std::string number = std::to_string(payload_type);
    map.value().error(fixed ? "payload type " + number + " is " + fixed->rtpmap() + ", which is " +
                                  kind_name(fixed->kind)
                            : "payload type " + number + " has no fixed meaning",
                      "add codec, such as " + example(kind));
    return std::nullopt;
  }
  const auto text = value->text();
  if (!text) return std::nullopt;
  auto codec = rtp::Codec::parse(kind, *text);
  if (codec) {
    question_codec(*value, *codec, payload_type);
    return codec;
  }
  const CommonCodec* common = common_codec(text->substr(0, text->find('/')));
  value->error(quote(*text) + " is no codec with its clock rate",
               "write NAME/CLOCKRATE as in a=rtpmap, such as \"" +
                   (common != nullptr ? std::string(common->rtpmap) : example(kind)) + "\"");
  return std::nullopt;
}

/// Goes into a line of SDP.
std::optional<std::string> load_format(const Value& value) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  const bool is_printable =
      std::all_of(text->begin(), text->end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (is_printable && text->size() <= kLongestFormat) return std::string(*text);
  value.error(
      "is no line of printable characters, or longer than " + std::to_string(kLongestFormat),
      "write what follows the payload type in a=fmtp, such as \"packetization-mode=1\"");
  return std::nullopt;
}

std::optional<std::string> load_name(const Value& value) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  if (is_name(*text)) return std::string(*text);
  value.error(quote(*text) + " is no name", kNameAdvice);
  return std::nullopt;
}

std::string default_name(MediaKind kind, const std::vector<SourceMedium>& siblings) {
  const auto same_kind = [&](const SourceMedium& other) { return other.codec.kind == kind; };
  const auto before = std::count_if(siblings.begin(), siblings.end(), same_kind);
  return kind_name(kind) + (before == 0 ? "" : std::to_string(before + 1));
}

}  // namespace

std::optional<SourceMedium> load_source_medium(const Value& value,
                                               const std::vector<SourceMedium>& siblings) {
  const auto map = value.mapping(kSourceMediumSchema);
  if (!map) return std::nullopt;
  SourceMedium medium;
  medium.origin = value.origin();
  const auto kind_value = map->require("kind", "add kind: audio or kind: video");
  const auto kind = kind_value ? kind_value->choice(kMediaKinds) : std::nullopt;
  const auto type_value = map->require("payload_type", "add the number that the sender uses");
  const auto type = type_value ? load_payload_type(*type_value) : std::nullopt;
  bool good =
      load_optional(*map, "rtcp_mux", medium.rtcp_mux, [](const Value& v) { return v.boolean(); });
  good &= load_optional(*map, "ssrc", medium.ssrc, load_32_bits);
  good &= load_optional(*map, "roc", medium.rollover_counter, load_32_bits);
  const auto listen_value = map->require(
      "listen", "add the address and port that the sender sends to, such as \"0.0.0.0:5004\"");
  const auto listen = listen_value ? load_listen(*listen_value, medium.rtcp_mux) : std::nullopt;
  const auto codec = kind && type ? load_codec(*map, *kind, *type) : std::nullopt;
  if (!good || !listen || !codec) return std::nullopt;
  medium.listen = *listen;
  medium.codec = *codec;
  medium.payload_type = *type;
  medium.name = default_name(*kind, siblings);
  good &= load_optional(*map, "name", medium.name, load_name);
  good &= load_optional(*map, "fmtp", medium.codec.format_parameters, load_format);
  if (!good) return std::nullopt;
  return medium;
}

}  // namespace runnel::config
