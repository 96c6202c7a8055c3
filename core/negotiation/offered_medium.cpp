#include "core/negotiation/offered_medium.h"

#include <algorithm>
#include <utility>

#include "core/negotiation/offered_formats.h"
#include "core/negotiation/offered_sources.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

Unexpected malformed(std::size_t line, std::string message) {
  return Unexpected(Error{ErrorKind::malformed, line, std::move(message)});
}

std::optional<rtp::MediaKind> kind_of(const sdp::MediaSection& section) {
  // UDP/TLS/RTP/SAVPF of RFC 5764, and the older forms that RFC 9429 §5.1.2 wants accepted.
  if (section.protocol.find("RTP/SAVP") == std::string::npos) return std::nullopt;
  if (section.media == "audio") return rtp::MediaKind::audio;
  if (section.media == "video") return rtp::MediaKind::video;
  return std::nullopt;
}

void judge(OfferedMedium& medium, const sdp::MediaSection& section) {
  if (section.port == 0 && !section.has("bundle-only")) {
    medium.unusable_because = "The peer has switched it off by port 0.";
  } else if (!medium.kind) {
    medium.unusable_because = "Only audio and video by DTLS-SRTP are carried here, and not " +
                              sdp::quote(section.media + " " + section.protocol) + ".";
  } else {
    medium.usable = true;
  }
}

sdp::Direction direction_of(const sdp::Section& section, sdp::Direction otherwise) {
  for (const sdp::Line& line : section.lines) {
    if (!line.is_attribute()) continue;
    if (const auto direction = sdp::parse_direction(line.value)) return *direction;
  }
  return otherwise;
}

std::expected<void, Error> read_mid(const sdp::MediaSection& section, OfferedMedium& medium) {
  const sdp::Line* line = section.find("mid");
  if (line == nullptr) return {};
  const std::string_view mid = line->attribute_value();
  if (!sdp::is_token(mid)) {
    return malformed(line->number, "a=mid must be one word, and is " + sdp::quote(mid) + ".");
  }
  if (mid.size() > kLongestId) {
    return malformed(line->number, "a=mid has " + std::to_string(mid.size()) +
                                       " characters; at most " + std::to_string(kLongestId) +
                                       " fit into a header extension.");
  }
  medium.mid = mid;
  return {};
}

std::expected<void, Error> add_extensions(const sdp::Section& section, OfferedMedium& medium) {
  for (const sdp::Line* line : section.all(sdp::ExtensionMap::kName)) {
    const auto map = sdp::read<sdp::ExtensionMap>(*line);
    if (!map) return Unexpected(to_error(map.error()));
    if (map->id > 255) continue;  // too many for the peer to number
    const auto id = static_cast<std::uint8_t>(map->id);
    if (std::ranges::find(medium.extension_ids, id) != medium.extension_ids.end()) {
      return malformed(line->number,
                       "The id " + std::to_string(id) + " is given to two header extensions.");
    }
    medium.extension_ids.push_back(id);
    const auto kind = rtp::extension_kind(map->uri);
    const bool is_new =
        kind && std::ranges::find(medium.extensions, *kind, &OfferedExtension::kind) ==
                    medium.extensions.end();
    if (is_new) medium.extensions.push_back({id, *kind, map->direction});
  }
  return {};
}

std::expected<void, Error> read_extensions(const sdp::Section& session,
                                           const sdp::MediaSection& section,
                                           OfferedMedium& medium) {
  medium.mixed_extensions = session.has("extmap-allow-mixed") || section.has("extmap-allow-mixed");
  // RFC 8285 §5: ids of the session are for all m-lines, and then no m-line has its own.
  return add_extensions(section.has(sdp::ExtensionMap::kName) ? section : session, medium);
}

}  // namespace

Error to_error(sdp::Error error) {
  return {ErrorKind::malformed, error.line, std::move(error.message)};
}

std::expected<OfferedMedium, Error> read_medium(const sdp::Section& session,
                                                const sdp::MediaSection& section,
                                                std::size_t index) {
  OfferedMedium medium;
  medium.index = index;
  medium.line = section.number;
  medium.media = section.media;
  medium.protocol = section.protocol;
  medium.payloads = section.formats;
  medium.kind = kind_of(section);
  judge(medium, section);
  medium.direction = direction_of(section, direction_of(session, sdp::Direction::sendrecv));
  medium.reduced_size_rtcp = section.has("rtcp-rsize");

  auto done = read_mid(section, medium);
  if (!done || !medium.usable) {
    return done ? std::expected<OfferedMedium, Error>(std::move(medium))
                : Unexpected(std::move(done.error()));
  }
  done = read_formats(section, medium);
  if (done) done = read_extensions(session, section, medium);
  if (done) done = read_sources(section, medium);
  if (!done) return Unexpected(std::move(done.error()));
  return medium;
}

}  // namespace runnel::negotiation
