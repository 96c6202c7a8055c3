#include "core/negotiation/local_description.h"

#include <utility>

#include "core/sdp/media_attributes.h"
#include "core/sdp/transport_attributes.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

using sdp::Direction;
using sdp::MediaSection;

/// Where the media would go without ICE (RFC 8839 §4.2.1.2): the first candidate by UDP.
struct DefaultDestination {
  std::string address = "0.0.0.0";
  std::uint16_t port = 9;

  std::string connection() const {
    return (address.find(':') == std::string::npos ? "IN IP4 " : "IN IP6 ") + address;
  }
};

DefaultDestination default_destination(const LocalTransport& local) {
  for (const std::string& candidate : local.candidates) {
    const auto fields = sdp::CandidateFields::parse(candidate);
    if (fields && (fields->transport == "udp" || fields->transport == "UDP")) {
      return {fields->address, fields->port};
    }
  }
  return {};
}

void add_transport(MediaSection& section, const LocalTransport& local, sdp::Setup setup,
                   bool with_candidates) {
  if (with_candidates) {
    for (const std::string& candidate : local.candidates) {
      section.add_attribute("candidate", candidate);
    }
    section.add_flag("end-of-candidates");
  }
  section.add_attribute("ice-ufrag", local.ufrag);
  section.add_attribute("ice-pwd", local.password);
  section.add_attribute("ice-options", "trickle ice2");
  for (const std::string& fingerprint : local.fingerprints) {
    section.add_attribute("fingerprint", fingerprint);
  }
  section.add_attribute("setup", sdp::to_string(setup));
}

void add_feedback(MediaSection& section, std::uint8_t payload_type,
                  const rtp::FeedbackKinds& feedback) {
  const std::pair<bool, std::string_view> kinds[] = {{feedback.remb, "goog-remb"},
                                                     {feedback.transport_wide, "transport-cc"},
                                                     {feedback.intra_request, "ccm fir"},
                                                     {feedback.nack, "nack"},
                                                     {feedback.picture_loss, "nack pli"}};
  for (const auto& [is_agreed, kind] : kinds) {
    if (is_agreed) {
      section.add_attribute("rtcp-fb",
                            sdp::RtcpFeedback{payload_type, std::string(kind)}.to_string());
    }
  }
}

void add_format(MediaSection& section, const LocalFormat& format) {
  section.formats.push_back(std::to_string(format.payload_type));
  section.add_attribute("rtpmap", sdp::RtpMap{format.payload_type, format.rtpmap}.to_string());
  add_feedback(section, format.payload_type, format.feedback);
  if (!format.parameters.empty()) {
    section.add_attribute(
        "fmtp", sdp::FormatParameters{format.payload_type, format.parameters}.to_string());
  }
  if (!format.retransmission_payload_type) return;
  const std::uint8_t rtx = *format.retransmission_payload_type;
  section.formats.push_back(std::to_string(rtx));
  section.add_attribute("rtpmap",
                        sdp::RtpMap{rtx, "rtx/" + std::to_string(format.clock_rate)}.to_string());
  section.add_attribute(
      "fmtp", sdp::FormatParameters{rtx, "apt=" + std::to_string(format.payload_type)}.to_string());
}

void add_extensions(MediaSection& section, const LocalSection& wanted) {
  for (const LocalExtension& extension : wanted.extensions) {
    const sdp::ExtensionMap map{extension.id, extension.direction,
                                std::string(rtp::uri_of(extension.kind)), ""};
    section.add_attribute("extmap", map.to_string());
  }
}

void add_rids(MediaSection& section, const LocalSection& wanted) {
  if (wanted.rids.empty()) return;
  sdp::Simulcast simulcast;
  for (const OfferedRid& rid : wanted.rids) {
    const sdp::Rid received{rid.id, Direction::recvonly, rid.restrictions};
    section.add_attribute("rid", received.to_string());
    simulcast.recv.push_back({{rid.id, false}});
  }
  section.add_attribute("simulcast", simulcast.to_string());
}

/// Only of what we send: of what we receive, MID and RID tell.
void add_source(MediaSection& section, const SentSource& source) {
  if (source.retransmission_ssrc) {
    section.add_attribute(
        "ssrc-group",
        sdp::SourceGroup{"FID", {source.ssrc, *source.retransmission_ssrc}}.to_string());
  }
  const auto add = [&](std::uint32_t ssrc) {
    section.add_attribute("ssrc",
                          sdp::SourceAttribute{ssrc, "cname", source.canonical_name}.to_string());
  };
  add(source.ssrc);
  if (source.retransmission_ssrc) add(*source.retransmission_ssrc);
}

/// An m-line needs formats even when it is switched off (RFC 8866 §5.14): those of the peer's
/// offer, or of ours that it has refused.
std::vector<std::string> rejected_formats(const LocalSection& wanted) {
  if (!wanted.payloads.empty()) return wanted.payloads;
  std::vector<std::string> formats;
  for (const LocalFormat& format : wanted.formats) {
    formats.push_back(std::to_string(format.payload_type));
  }
  return formats;
}

MediaSection rejected_section(const LocalSection& wanted) {
  MediaSection section;
  section.media = wanted.media;
  section.port = 0;
  section.protocol = wanted.protocol;
  section.formats = rejected_formats(wanted);
  section.add('c', "IN IP4 0.0.0.0");
  if (!wanted.mid.empty()) section.add_attribute("mid", wanted.mid);
  section.add_flag("inactive");
  return section;
}

MediaSection live_section(const LocalSection& wanted, const LocalTransport& local, sdp::Setup setup,
                          bool is_first) {
  const DefaultDestination destination = default_destination(local);
  MediaSection section;
  section.media = wanted.media;
  section.protocol = wanted.protocol;
  section.port = destination.port;
  section.add('c', destination.connection());
  add_transport(section, local, setup, is_first);
  if (!wanted.mid.empty()) section.add_attribute("mid", wanted.mid);
  add_extensions(section, wanted);
  section.add_flag(sdp::to_string(wanted.direction));
  if (wanted.source) {
    const sdp::MediaStreamId id{wanted.source->stream_id, wanted.source->track_id};
    section.add_attribute("msid", id.to_string());
  }
  section.add_flag("rtcp-mux");
  if (wanted.reduced_size_rtcp) section.add_flag("rtcp-rsize");
  for (const LocalFormat& format : wanted.formats) add_format(section, format);
  add_rids(section, wanted);
  if (wanted.source) add_source(section, *wanted.source);
  return section;
}

}  // namespace

std::string write_description(const LocalSession& session, std::span<const LocalSection> sections,
                              const LocalTransport& local) {
  sdp::Description description;
  description.session.add('v', "0");
  description.session.add('o', "- " + std::to_string(session.origin.session_id) + " " +
                                   std::to_string(session.origin.version) + " IN IP4 127.0.0.1");
  description.session.add('s', "-");
  description.session.add('t', "0 0");
  description.session.add_flag("ice-lite");
  sdp::Group bundle{"BUNDLE", {}};
  for (const LocalSection& section : sections) {
    if (!section.rejected) bundle.mids.push_back(section.mid);
  }
  if (session.bundle) description.session.add_attribute("group", bundle.to_string());
  if (session.mixed_extensions) description.session.add_flag("extmap-allow-mixed");
  description.session.add_attribute("msid-semantic", " WMS *");

  bool is_first = true;
  for (const LocalSection& section : sections) {
    description.media.push_back(section.rejected ? rejected_section(section)
                                                 : live_section(section, local, session.setup,
                                                                std::exchange(is_first, false)));
  }
  return sdp::write(description);
}

}  // namespace runnel::negotiation
