#include "core/frames/format.h"

#include <algorithm>
#include <string_view>

namespace runnel::frames {
namespace {

struct NamedFormat {
  std::string_view name;
  Format format;
};

constexpr NamedFormat kVideoFormats[] = {
    {"vp8", Format::vp8},   {"vp9", Format::vp9}, {"h264", Format::h264},
    {"h265", Format::h265}, {"av1", Format::av1},
};
constexpr NamedFormat kAudioFormats[] = {
    {"opus", Format::opus}, {"pcmu", Format::pcmu}, {"pcma", Format::pcma},
    {"g722", Format::g722}, {"l16", Format::l16},
};

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

template <std::size_t count>
Format find(const NamedFormat (&formats)[count], std::string_view name, Format other) noexcept {
  for (const NamedFormat& entry : formats) {
    if (equal_ignoring_case(entry.name, name)) return entry.format;
  }
  return other;
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The value of one of the parameters of a=fmtp, which ';' divides; empty when it is not there.
std::string_view parameter(std::string_view parameters, std::string_view name) noexcept {
  while (!parameters.empty()) {
    const std::string_view one = trim(parameters.substr(0, parameters.find(';')));
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos && equal_ignoring_case(one.substr(0, equals), name)) {
      return one.substr(equals + 1);
    }
    const std::size_t end = parameters.find(';');
    if (end == std::string_view::npos) break;
    parameters.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

Format format_of(const rtp::Codec& codec) noexcept {
  return codec.kind == rtp::MediaKind::video ? find(kVideoFormats, codec.name, Format::other_video)
                                             : find(kAudioFormats, codec.name, Format::other_audio);
}

bool supports(const rtp::Codec& codec) noexcept {
  const Format format = format_of(codec);
  if (format == Format::other_audio || format == Format::other_video) return false;
  if (format == Format::h264) {
    return parameter(codec.format_parameters, "packetization-mode") != "2";
  }
  if (format == Format::h265) {
    const std::string_view difference = parameter(codec.format_parameters, "sprop-max-don-diff");
    return difference.empty() || difference == "0";
  }
  return true;
}

}  // namespace runnel::frames
