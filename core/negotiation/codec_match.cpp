#include "core/negotiation/codec_match.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/negotiation/h264_profile.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

using rtp::Codec;
using rtp::MediaKind;

struct KnownCodec {
  MediaKind kind;
  std::string_view name;
  std::uint32_t clock_rate;  // 0: any
};

constexpr std::string_view kTelephoneEvent = "telephone-event";

constexpr KnownCodec kKnownCodecs[] = {
    {MediaKind::audio, "opus", 48'000}, {MediaKind::audio, "PCMU", 8'000},
    {MediaKind::audio, "PCMA", 8'000},  {MediaKind::audio, "G722", 8'000},
    {MediaKind::video, "VP8", 90'000},  {MediaKind::video, "VP9", 90'000},
    {MediaKind::video, "H264", 90'000}, {MediaKind::video, "H265", 90'000},
    {MediaKind::video, "AV1", 90'000},  {MediaKind::audio, kTelephoneEvent, 0},
};

constexpr std::string_view kNotMedia[] = {"red", "ulpfec", "flexfec", "flexfec-03", "CN"};

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with(std::string_view text, std::string_view prefix) noexcept {
  return is_same_name(text.substr(0, prefix.size()), prefix);
}

/// Calls `visit(name, value, whole)` for each parameter.
template <typename Visit>
void for_each_parameter(std::string_view parameters, const Visit& visit) {
  while (!parameters.empty()) {
    const std::string_view whole = sdp::trimmed(sdp::take_until(parameters, ';'));
    std::string_view value = whole;
    const std::string_view name = sdp::trimmed(sdp::take_until(value, '='));
    if (!whole.empty()) visit(name, sdp::trimmed(value), whole);
  }
}

template <typename Keep>
std::string filtered(std::string_view parameters, const Keep& keep) {
  std::string kept;
  for_each_parameter(parameters,
                     [&](std::string_view name, std::string_view, std::string_view all) {
                       if (!keep(name)) return;
                       if (!kept.empty()) kept += ';';
                       kept += all;
                     });
  return kept;
}

// RFC 6184, RFC 7741 and others: "max-..." is what a receiver can take; RFC 7587 has
// "maxplaybackrate" beside it.
bool is_limit_of_receiver(std::string_view name) noexcept {
  return starts_with(name, "max-") || is_same_name(name, "maxplaybackrate");
}

std::optional<unsigned> number(const Codec& codec, std::string_view name) noexcept {
  const auto text = format_parameter(codec.format_parameters, name);
  return text ? sdp::parse_number<unsigned>(*text, 1'000) : std::nullopt;
}

std::optional<H264Profile> profile_of(const Codec& codec) noexcept {
  const auto id = format_parameter(codec.format_parameters, "profile-level-id");
  return id ? h264_profile(*id) : std::nullopt;
}

bool says_profile(const Codec& codec) noexcept {
  return format_parameter(codec.format_parameters, "profile-level-id").has_value();
}

/// RFC 6184 §8.2.2: what is packetized in mode 0 suits mode 1 too.
int h264_suitability(const Codec& sent, const Codec& received) noexcept {
  const auto sent_profile = profile_of(sent);
  const auto received_profile = profile_of(received);
  const bool both_say = says_profile(sent) && says_profile(received);
  if (both_say && !(sent_profile && received_profile)) return 0;
  const int profile = both_say ? suitability(*sent_profile, *received_profile) : 1;

  const auto sent_mode = number(sent, "packetization-mode");
  const auto received_mode = number(received, "packetization-mode");
  const bool mode_suits = !sent_mode || !received_mode || *sent_mode <= *received_mode;
  if (profile == 0 || !mode_suits) return 0;
  return 10 * profile + (sent_mode.value_or(1) == received_mode.value_or(0) ? 2 : 1);
}

// RFC 7798 §7.1
int h265_suitability(const Codec& sent, const Codec& received) noexcept {
  if (number(sent, "profile-id").value_or(1) != number(received, "profile-id").value_or(1))
    return 0;
  return number(sent, "tier-flag").value_or(0) <= number(received, "tier-flag").value_or(0) ? 1 : 0;
}

// AV1 RTP §7.2: a decoder of a higher profile takes the lower ones.
int av1_suitability(const Codec& sent, const Codec& received) noexcept {
  const unsigned sent_profile = number(sent, "profile").value_or(0);
  const unsigned received_profile = number(received, "profile").value_or(0);
  if (sent_profile > received_profile) return 0;
  return sent_profile == received_profile ? 2 : 1;
}

bool is_named_alike(const Codec& a, const Codec& b) noexcept {
  // RFC 7587 §7: opus says 2 whatever it has, and some leave it out.
  const auto channels = [](const Codec& codec) {
    if (is_same_name(codec.name, "opus")) return 2;
    return codec.channels == 0 ? 1 : int{codec.channels};
  };
  return a.kind == b.kind && is_same_name(a.name, b.name) && a.clock_rate == b.clock_rate &&
         channels(a) == channels(b);
}

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

std::optional<std::string_view> format_parameter(std::string_view parameters,
                                                 std::string_view name) noexcept {
  std::optional<std::string_view> found;
  for_each_parameter(parameters, [&](std::string_view key, std::string_view value, auto) {
    if (!found && is_same_name(key, name)) found = value;
  });
  return found;
}

std::string media_parameters(std::string_view parameters) {
  return filtered(parameters, [](std::string_view name) { return !is_limit_of_receiver(name); });
}

std::string answered_parameters(std::string_view parameters) {
  return filtered(parameters, [](std::string_view name) {
    return !is_limit_of_receiver(name) && !starts_with(name, "sprop-");
  });
}

FormatRole role_of(const Codec& codec) noexcept {
  if (is_same_name(codec.name, "rtx")) return FormatRole::retransmission;
  const bool is_other = std::ranges::any_of(
      kNotMedia, [&](std::string_view name) { return is_same_name(codec.name, name); });
  return is_other ? FormatRole::other : FormatRole::media;
}

std::optional<std::string_view> known_name(const Codec& codec) noexcept {
  for (const KnownCodec& known : kKnownCodecs) {
    if (known.kind == codec.kind && is_same_name(known.name, codec.name) &&
        (known.clock_rate == 0 || known.clock_rate == codec.clock_rate)) {
      return known.name;
    }
  }
  return std::nullopt;
}

bool is_main(const Codec& codec) noexcept {
  return known_name(codec) && !is_telephone_event(codec);
}

bool is_telephone_event(const Codec& codec) noexcept {
  return is_same_name(codec.name, kTelephoneEvent);
}

std::optional<int> variant_rank(const Codec& codec) noexcept {
  const auto profile_number = [&](std::string_view name, unsigned usual) {
    return static_cast<int>(number(codec, name).value_or(usual));
  };
  if (is_same_name(codec.name, "VP9")) return profile_number("profile-id", 0);
  if (is_same_name(codec.name, "AV1")) return profile_number("profile", 0);
  if (is_same_name(codec.name, "H265")) return profile_number("profile-id", 1);
  if (!is_same_name(codec.name, "H264")) return 0;

  const unsigned mode = number(codec, "packetization-mode").value_or(0);
  const auto profile = profile_of(codec);
  if (mode > 1 || (says_profile(codec) && !profile)) return std::nullopt;
  constexpr int kBehindAllProfiles = 10;
  return static_cast<int>(profile.value_or(H264Profile::baseline)) +
         (mode == 1 ? 0 : kBehindAllProfiles);
}

int suitability(const Codec& sent, const Codec& received) noexcept {
  if (!is_named_alike(sent, received)) return 0;
  if (is_same_name(sent.name, "H264")) return h264_suitability(sent, received);
  if (is_same_name(sent.name, "H265")) return h265_suitability(sent, received);
  if (is_same_name(sent.name, "AV1")) return av1_suitability(sent, received);
  if (is_same_name(sent.name, "VP9")) {
    return number(sent, "profile-id").value_or(0) == number(received, "profile-id").value_or(0);
  }
  return 1;
}

}  // namespace runnel::negotiation
