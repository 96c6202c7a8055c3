#include "core/rtp/codec.h"

#include <algorithm>
#include <charconv>

namespace runnel::rtp {
namespace {

constexpr std::uint32_t kMaxClockRate = 1'000'000;
constexpr std::uint32_t kMaxChannels = 255;

struct StaticAssignment {
  std::uint8_t payload_type;
  MediaKind kind;
  std::string_view name;
  std::uint32_t clock_rate;
  std::uint8_t channels = 0;
};

// RFC 3551 §6, tables 4 and 5. G722 keeps the clock rate of 8000 that an old error gave it
// (§4.5.2).
constexpr StaticAssignment kStaticAssignments[] = {
    {0, MediaKind::audio, "PCMU", 8000},     {3, MediaKind::audio, "GSM", 8000},
    {4, MediaKind::audio, "G723", 8000},     {5, MediaKind::audio, "DVI4", 8000},
    {6, MediaKind::audio, "DVI4", 16000},    {7, MediaKind::audio, "LPC", 8000},
    {8, MediaKind::audio, "PCMA", 8000},     {9, MediaKind::audio, "G722", 8000},
    {10, MediaKind::audio, "L16", 44100, 2}, {11, MediaKind::audio, "L16", 44100},
    {12, MediaKind::audio, "QCELP", 8000},   {13, MediaKind::audio, "CN", 8000},
    {14, MediaKind::audio, "MPA", 90000},    {15, MediaKind::audio, "G728", 8000},
    {16, MediaKind::audio, "DVI4", 11025},   {17, MediaKind::audio, "DVI4", 22050},
    {18, MediaKind::audio, "G729", 8000},    {25, MediaKind::video, "CelB", 90000},
    {26, MediaKind::video, "JPEG", 90000},   {28, MediaKind::video, "nv", 90000},
    {31, MediaKind::video, "H261", 90000},   {32, MediaKind::video, "MPV", 90000},
    {33, MediaKind::video, "MP2T", 90000},   {34, MediaKind::video, "H263", 90000},
};

// The token of SDP (RFC 8866 §9).
bool is_token_character(char c) noexcept {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`{|}~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kOthers.find(c) != std::string_view::npos;
}

/// A decimal number without sign or leading zeros, 1 to `highest`.
std::optional<std::uint32_t> parse_number(std::string_view text, std::uint32_t highest) noexcept {
  if (text.empty() || text.front() == '0') return std::nullopt;
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value > highest) return std::nullopt;
  return value;
}

}  // namespace

std::string_view to_string(MediaKind kind) noexcept {
  return kind == MediaKind::audio ? "audio" : "video";
}

std::string Codec::rtpmap() const {
  std::string text = name + "/" + std::to_string(clock_rate);
  if (channels != 0) text += "/" + std::to_string(channels);
  return text;
}

std::optional<Codec> Codec::parse(MediaKind kind, std::string_view rtpmap) {
  const std::size_t slash = rtpmap.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  const std::string_view name = rtpmap.substr(0, slash);
  if (!std::ranges::all_of(name, is_token_character)) return std::nullopt;

  const std::string_view numbers = rtpmap.substr(slash + 1);
  const std::size_t second_slash = numbers.find('/');
  const auto clock_rate = parse_number(numbers.substr(0, second_slash), kMaxClockRate);
  if (!clock_rate) return std::nullopt;

  Codec codec;
  codec.kind = kind;
  codec.name = name;
  codec.clock_rate = *clock_rate;
  if (second_slash != std::string_view::npos) {
    const auto channels = parse_number(numbers.substr(second_slash + 1), kMaxChannels);
    if (!channels) return std::nullopt;
    codec.channels = static_cast<std::uint8_t>(*channels);
  }
  return codec;
}

std::optional<Codec> static_payload_type(std::uint8_t payload_type) {
  const auto* found =
      std::ranges::find(kStaticAssignments, payload_type, &StaticAssignment::payload_type);
  if (found == std::ranges::end(kStaticAssignments)) return std::nullopt;
  Codec codec;
  codec.kind = found->kind;
  codec.name = found->name;
  codec.clock_rate = found->clock_rate;
  codec.channels = found->channels;
  return codec;
}

}  // namespace runnel::rtp
