#include "core/negotiation/agreement.h"

#include <algorithm>

#include "core/negotiation/codec_match.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

/// RFC 8851 §5: a RID may be meant for some payload types only.
bool is_for(const OfferedRid& rid, std::uint8_t payload_type) {
  const auto list = format_parameter(rid.restrictions, "pt");
  if (!list) return true;
  const auto types = sdp::split(*list, ',');
  return std::ranges::find(types, std::to_string(payload_type)) != types.end();
}

std::optional<std::uint8_t> events_beside(const OfferedMedium& medium, const rtp::Codec& audio) {
  for (const PayloadFormat& format : medium.formats) {
    const bool is_beside =
        is_telephone_event(format.codec) && format.codec.clock_rate == audio.clock_rate;
    if (is_beside) return format.payload_type;
  }
  return std::nullopt;
}

}  // namespace

const PayloadFormat* most_suitable(std::span<const PayloadFormat> formats, const rtp::Codec& sent) {
  const PayloadFormat* best = nullptr;
  int best_suitability = 0;
  for (const PayloadFormat& format : formats) {
    const int candidate = suitability(sent, format.codec);
    if (candidate <= best_suitability) continue;
    best = &format;
    best_suitability = candidate;
  }
  return best;
}

AgreedMedium agree(const OfferedMedium& medium, const PayloadFormat& format, sdp::Direction ours) {
  AgreedMedium agreed;
  agreed.section = medium.index;
  agreed.mid = medium.mid;
  agreed.direction = ours;
  agreed.payload_type = format.payload_type;
  agreed.codec = format.codec;
  if (const auto name = known_name(format.codec)) agreed.codec.name = *name;
  agreed.codec.format_parameters = media_parameters(format.codec.format_parameters);
  agreed.retransmission_payload_type = format.retransmission_payload_type;
  agreed.event_payload_type = events_beside(medium, format.codec);
  agreed.feedback = format.feedback;

  if (sdp::receives(ours)) {
    agreed.extensions = extensions_from_peer(medium);
    agreed.ssrcs = medium.ssrcs;
    // Without the header extension nothing tells the encodings apart.
    const bool has_rids = agreed.extensions.has(rtp::ExtensionKind::rid);
    for (const OfferedRid& rid : medium.rids) {
      if (has_rids && is_for(rid, format.payload_type)) agreed.rids.push_back(rid.id);
    }
  } else {
    agreed.extensions = extensions_to_peer(medium);
    // What is sent is one encoding, whatever it was at its publisher.
    agreed.extensions.set(rtp::ExtensionKind::rid, 0);
    agreed.extensions.set(rtp::ExtensionKind::repaired_rid, 0);
  }
  return agreed;
}

}  // namespace runnel::negotiation
