#include "core/negotiation/codec_names.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/negotiation/codec_match.h"
#include "core/sdp/error.h"

namespace runnel::negotiation {
namespace {

// Of the parameters that decide whether a receiver takes a codec.
constexpr std::string_view kTelling[] = {"profile-level-id", "packetization-mode", "profile-id",
                                         "profile"};
// A sentence is no list of everything that a browser knows.
constexpr std::size_t kMostNames = 12;

/// What others wrote may hold anything.
std::string printable(std::string_view text) {
  const std::string quoted = sdp::quote(text);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string enumerated(std::span<const std::string> words, std::string_view conjunction) {
  if (words.empty()) return "nothing";
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) {
      text += i + 1 == words.size() ? " " + std::string(conjunction) + " " : std::string(", ");
    }
    text += words[i];
  }
  return text;
}

std::string describe(const rtp::Codec& codec) {
  std::string parameters;
  for (const std::string_view name : kTelling) {
    const auto value = format_parameter(codec.format_parameters, name);
    if (!value) continue;
    if (!parameters.empty()) parameters += ", ";
    parameters.append(name).append("=").append(printable(*value));
  }
  return codec.rtpmap() + (parameters.empty() ? "" : " (" + parameters + ")");
}

std::string names_of(std::span<const PayloadFormat> formats) {
  std::vector<std::string> names;
  for (const PayloadFormat& format : formats) {
    std::string name = describe(format.codec);
    if (std::ranges::find(names, name) != names.end()) continue;
    if (names.size() == kMostNames) {
      names.emplace_back("others");
      break;
    }
    names.push_back(std::move(name));
  }
  return enumerated(names, "and");
}

std::string known_names(rtp::MediaKind kind) {
  return kind == rtp::MediaKind::audio ? "opus, PCMU, PCMA and G722"
                                       : "VP8, VP9, H264, H265 and AV1";
}

}  // namespace runnel::negotiation
