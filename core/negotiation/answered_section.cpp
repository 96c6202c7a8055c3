#include "core/negotiation/answered_section.h"

#include <algorithm>

#include "core/negotiation/codec_match.h"

namespace runnel::negotiation {
namespace {

LocalSection begin(const OfferedMedium& offered) {
  LocalSection section;
  section.media = offered.media;
  section.protocol = offered.protocol;
  section.payloads = offered.payloads;
  section.mid = offered.mid;
  section.reduced_size_rtcp = offered.reduced_size_rtcp;
  return section;
}

/// A direction that is not said in the offer is not said in the answer either (RFC 8285 §6).
void add_extensions(const OfferedMedium& offered, const rtp::ExtensionIds& agreed,
                    LocalSection& section) {
  for (const OfferedExtension& extension : offered.extensions) {
    if (agreed[extension.kind] != extension.id) continue;
    const auto direction = extension.direction;
    section.extensions.push_back(
        {extension.id, extension.kind,
         direction ? std::optional(sdp::reversed(*direction)) : std::nullopt});
  }
}

}  // namespace

LocalFormat answered_format(const PayloadFormat& offered) {
  return {offered.payload_type,
          offered.codec.rtpmap(),
          answered_parameters(offered.codec.format_parameters),
          offered.feedback,
          offered.retransmission_payload_type,
          offered.codec.clock_rate};
}

LocalSection answered_section(const OfferedMedium& offered, const LocalMedium& local) {
  const AgreedMedium& agreed = local.agreed;
  LocalSection section = begin(offered);
  section.direction = agreed.direction;
  section.source = local.source;
  const auto answer = [&](std::optional<std::uint8_t> payload_type) {
    const auto format =
        std::ranges::find(offered.formats, payload_type, &PayloadFormat::payload_type);
    if (format != offered.formats.end()) section.formats.push_back(answered_format(*format));
  };
  answer(agreed.payload_type);
  answer(agreed.event_payload_type);
  add_extensions(offered, agreed.extensions, section);
  for (const OfferedRid& rid : offered.rids) {
    if (std::ranges::find(agreed.rids, rid.id) != agreed.rids.end()) section.rids.push_back(rid);
  }
  section.rejected = section.formats.empty();
  return section;
}

LocalSection unused_section(const OfferedMedium& offered) {
  LocalSection section = begin(offered);
  const auto known = std::ranges::find_if(
      offered.formats, [](const PayloadFormat& format) { return is_main(format.codec); });
  section.rejected = !offered.usable || known == offered.formats.end();
  if (section.rejected) return section;
  section.formats.push_back(answered_format(*known));
  rtp::ExtensionIds mid;
  mid.set(rtp::ExtensionKind::mid, extensions_to_peer(offered)[rtp::ExtensionKind::mid]);
  add_extensions(offered, mid, section);
  return section;
}

}  // namespace runnel::negotiation
