#include "core/negotiation/offered_formats.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/offered_medium.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

std::unexpected<Error> malformed(std::size_t line, std::string message) {
  return Unexpected(Error{ErrorKind::malformed, line, std::move(message)});
}

/// A payload type of the m-line, of which the other lines tell.
struct Format {
  std::uint8_t payload_type = 0;
  std::optional<rtp::Codec> codec;
  bool is_mapped = false;  // by a=rtpmap
  rtp::FeedbackKinds feedback;
  std::string parameters;
};
using Formats = std::vector<Format>;

Format* find(Formats& formats, std::uint8_t payload_type) {
  const auto found = std::ranges::find(formats, payload_type, &Format::payload_type);
  return found == formats.end() ? nullptr : &*found;
}

std::expected<Formats, Error> list_formats(const sdp::MediaSection& section, rtp::MediaKind kind) {
  Formats formats;
  for (const std::string& text : section.formats) {
    const auto payload_type = sdp::parse_number<std::uint8_t>(text, 127);
    if (!payload_type) {
      return malformed(section.number, "The m-line has " + sdp::quote(text) +
                                           ", which is no payload type from 0 to 127.");
    }
    if (find(formats, *payload_type) != nullptr) continue;
    Format format;
    format.payload_type = *payload_type;
    format.codec = rtp::static_payload_type(*payload_type);
    if (format.codec && format.codec->kind != kind) format.codec.reset();
    formats.push_back(std::move(format));
  }
  return formats;
}

std::expected<void, Error> read_codecs(const sdp::MediaSection& section, rtp::MediaKind kind,
                                       Formats& formats) {
  for (const sdp::Line* line : section.all(sdp::RtpMap::kName)) {
    const auto map = sdp::read<sdp::RtpMap>(*line);
    if (!map) return Unexpected(to_error(map.error()));
    Format* format = find(formats, map->payload_type);
    if (format == nullptr) continue;
    if (format->is_mapped) {
      return malformed(line->number, "The payload type " + std::to_string(map->payload_type) +
                                         " is given to two codecs.");
    }
    format->codec = rtp::Codec::parse(kind, map->encoding);
    format->is_mapped = true;
    if (!format->codec) {
      return malformed(line->number,
                       "a=rtpmap must name a codec as NAME/CLOCK-RATE[/CHANNELS], "
                       "and has " +
                           sdp::quote(map->encoding) + ".");
    }
  }
  return {};
}

std::expected<void, Error> read_parameters(const sdp::MediaSection& section, Formats& formats) {
  const auto all = sdp::read_all<sdp::FormatParameters>(section);
  if (!all) return Unexpected(to_error(all.error()));
  for (const sdp::FormatParameters& fmtp : *all) {
    Format* format = find(formats, fmtp.payload_type);
    if (format == nullptr) continue;
    if (!format->parameters.empty()) format->parameters += ';';
    format->parameters += fmtp.parameters;
  }
  return {};
}

void add(rtp::FeedbackKinds& feedback, std::string_view kind) {
  if (kind == "nack") feedback.nack = true;
  if (kind == "nack pli") feedback.picture_loss = true;
  if (kind == "ccm fir") feedback.intra_request = true;
  if (kind == "goog-remb") feedback.remb = true;
  if (kind == "transport-cc") feedback.transport_wide = true;
}

std::expected<void, Error> read_feedback(const sdp::MediaSection& section, Formats& formats) {
  const auto all = sdp::read_all<sdp::RtcpFeedback>(section);
  if (!all) return Unexpected(to_error(all.error()));
  for (const sdp::RtcpFeedback& feedback : *all) {
    for (Format& format : formats) {
      if (feedback.payload_type.value_or(format.payload_type) == format.payload_type) {
        add(format.feedback, feedback.kind);
      }
    }
  }
  return {};
}

/// By payload type of the media: that of the RTX whose apt it is, the first of several.
std::map<std::uint8_t, std::uint8_t> find_retransmissions(const Formats& formats) {
  std::map<std::uint8_t, std::uint8_t> found;
  for (const Format& format : formats) {
    if (!format.codec || role_of(*format.codec) != FormatRole::retransmission) continue;
    const auto apt = format_parameter(format.parameters, "apt");
    const auto media = apt ? sdp::parse_number<std::uint8_t>(*apt, 127) : std::nullopt;
    if (media) found.try_emplace(*media, format.payload_type);
  }
  return found;
}

}  // namespace

std::expected<void, Error> read_formats(const sdp::MediaSection& section, OfferedMedium& medium) {
  auto formats = list_formats(section, *medium.kind);
  if (!formats) return Unexpected(std::move(formats.error()));
  auto done = read_codecs(section, *medium.kind, *formats);
  if (done) done = read_parameters(section, *formats);
  if (done) done = read_feedback(section, *formats);
  if (!done) return done;

  const auto retransmissions = find_retransmissions(*formats);
  for (const Format& format : *formats) {
    if (!format.codec || role_of(*format.codec) != FormatRole::media) continue;
    PayloadFormat offered{format.payload_type, *format.codec, format.feedback, std::nullopt};
    const auto retransmission = retransmissions.find(format.payload_type);
    if (retransmission != retransmissions.end()) {
      offered.retransmission_payload_type = retransmission->second;
    }
    offered.codec.format_parameters = format.parameters;
    medium.formats.push_back(std::move(offered));
  }
  return {};
}

}  // namespace runnel::negotiation
