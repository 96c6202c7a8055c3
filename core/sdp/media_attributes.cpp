#include "core/sdp/media_attributes.h"

#include <algorithm>

#include "core/sdp/words.h"

namespace runnel::sdp {
namespace {

constexpr std::uint8_t kLastPayloadType = 127;
constexpr std::uint32_t kLastSsrc = 0xffffffff;
constexpr std::uint16_t kLastExtensionId = 255;
// RFC 8285 §7: numbers of extensions beyond those that fit, for the other side to replace.
constexpr std::uint16_t kFirstUnnumbered = 4096;
constexpr std::uint16_t kLastUnnumbered = 4351;

bool is_rid(std::string_view text) noexcept {
  const auto is_allowed = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; };
  return !text.empty() && text.size() <= 255 && std::ranges::all_of(text, is_allowed);
}

std::optional<Simulcast::Streams> parse_streams(std::string_view text) {
  Simulcast::Streams streams;
  for (const std::string& stream : split(text, ';')) {
    std::vector<Simulcast::Alternative> alternatives;
    for (std::string_view rid : split(stream, ',')) {
      const bool paused = rid.starts_with('~');
      if (paused) rid.remove_prefix(1);
      if (!is_rid(rid)) return std::nullopt;
      alternatives.push_back({std::string(rid), paused});
    }
    streams.push_back(std::move(alternatives));
  }
  return streams;
}

std::string write_streams(const Simulcast::Streams& streams) {
  std::string text;
  for (const auto& stream : streams) {
    if (!text.empty()) text += ';';
    for (const auto& alternative : stream) {
      if (&alternative != &stream.front()) text += ',';
      if (alternative.paused) text += '~';
      text += alternative.rid;
    }
  }
  return text;
}

}  // namespace

std::optional<RtpMap> RtpMap::parse(std::string_view value) {
  const auto payload_type = parse_number(take_word(value), kLastPayloadType);
  const std::string_view encoding = trimmed(value);
  if (!payload_type || encoding.empty() || encoding.find(' ') != std::string_view::npos) {
    return std::nullopt;
  }
  return RtpMap{*payload_type, std::string(encoding)};
}

std::string RtpMap::to_string() const {
  return std::to_string(payload_type) + " " + encoding;
}

std::optional<FormatParameters> FormatParameters::parse(std::string_view value) {
  const auto payload_type = parse_number(take_word(value), kLastPayloadType);
  if (!payload_type) return std::nullopt;
  return FormatParameters{*payload_type, std::string(trimmed(value))};
}

std::string FormatParameters::to_string() const {
  return std::to_string(payload_type) + " " + parameters;
}

std::optional<RtcpFeedback> RtcpFeedback::parse(std::string_view value) {
  const std::string_view format = take_word(value);
  const std::string_view kind = trimmed(value);
  if (kind.empty()) return std::nullopt;
  if (format == "*") return RtcpFeedback{std::nullopt, std::string(kind)};
  const auto payload_type = parse_number(format, kLastPayloadType);
  if (!payload_type) return std::nullopt;
  return RtcpFeedback{payload_type, std::string(kind)};
}

std::string RtcpFeedback::to_string() const {
  return (payload_type ? std::to_string(*payload_type) : "*") + " " + kind;
}

std::optional<ExtensionMap> ExtensionMap::parse(std::string_view value) {
  std::string_view number = take_word(value);
  const bool has_direction = number.find('/') != std::string_view::npos;
  const auto id = parse_number(take_until(number, '/'), kLastUnnumbered);
  if (!id || *id == 0 || (*id > kLastExtensionId && *id < kFirstUnnumbered)) return std::nullopt;

  ExtensionMap map;
  map.id = *id;
  if (has_direction) {
    map.direction = parse_direction(number);
    if (!map.direction) return std::nullopt;
  }
  map.uri = take_word(value);
  map.attributes = trimmed(value);
  if (map.uri.empty()) return std::nullopt;
  return map;
}

std::string ExtensionMap::to_string() const {
  std::string text = std::to_string(id);
  if (direction) text.append("/").append(sdp::to_string(*direction));
  text += " " + uri;
  if (!attributes.empty()) text += " " + attributes;
  return text;
}

std::optional<SourceAttribute> SourceAttribute::parse(std::string_view value) {
  const auto ssrc = parse_number(take_word(value), kLastSsrc);
  if (!ssrc) return std::nullopt;
  std::string_view rest = trimmed(value);
  const std::string_view attribute = trimmed(take_until(rest, ':'));
  if (attribute.empty() && !rest.empty()) return std::nullopt;
  return SourceAttribute{*ssrc, std::string(attribute), std::string(rest)};
}

std::string SourceAttribute::to_string() const {
  std::string text = std::to_string(ssrc);
  if (!attribute.empty()) text += " " + attribute;
  if (!value.empty()) text += ":" + value;
  return text;
}

std::optional<SourceGroup> SourceGroup::parse(std::string_view value) {
  SourceGroup group;
  group.semantics = take_word(value);
  if (!is_token(group.semantics)) return std::nullopt;
  for (std::string_view word; !(word = take_word(value)).empty();) {
    const auto ssrc = parse_number(word, kLastSsrc);
    if (!ssrc) return std::nullopt;
    group.ssrcs.push_back(*ssrc);
  }
  return group;
}

std::string SourceGroup::to_string() const {
  std::string text = semantics;
  for (const std::uint32_t ssrc : ssrcs) text += " " + std::to_string(ssrc);
  return text;
}

std::optional<MediaStreamId> MediaStreamId::parse(std::string_view value) {
  MediaStreamId id;
  id.stream = take_word(value);
  id.track = take_word(value);
  if (id.stream.empty() || !trimmed(value).empty()) return std::nullopt;
  return id;
}

std::string MediaStreamId::to_string() const {
  return track.empty() ? stream : stream + " " + track;
}

std::optional<Rid> Rid::parse(std::string_view value) {
  Rid rid;
  rid.id = take_word(value);
  const std::string_view direction = take_word(value);
  rid.restrictions = trimmed(value);
  if (!is_rid(rid.id) || (direction != "send" && direction != "recv")) return std::nullopt;
  rid.direction = direction == "send" ? Direction::sendonly : Direction::recvonly;
  return rid;
}

std::string Rid::to_string() const {
  std::string text = id + (sends(direction) ? " send" : " recv");
  if (!restrictions.empty()) text += " " + restrictions;
  return text;
}

std::optional<Simulcast> Simulcast::parse(std::string_view value) {
  Simulcast simulcast;
  for (std::string_view word; !(word = take_word(value)).empty();) {
    const auto streams = parse_streams(take_word(value));
    Streams* target = word == "send" ? &simulcast.send : word == "recv" ? &simulcast.recv : nullptr;
    if (!streams || target == nullptr || !target->empty()) return std::nullopt;
    *target = *streams;
  }
  if (simulcast.send.empty() && simulcast.recv.empty()) return std::nullopt;
  return simulcast;
}

std::string Simulcast::to_string() const {
  std::string text;
  if (!send.empty()) text += "send " + write_streams(send);
  if (!recv.empty()) text += (text.empty() ? "recv " : " recv ") + write_streams(recv);
  return text;
}

}  // namespace runnel::sdp
