#include "core/negotiation/offered_sources.h"

#include <algorithm>
#include <utility>

#include "core/negotiation/offered_medium.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

std::unexpected<Error> malformed(std::size_t line, std::string message) {
  return Unexpected(Error{ErrorKind::malformed, line, std::move(message)});
}

/// FID pairs media with its retransmission (RFC 5576 §4.2), FEC-FR with its repair (RFC 5956 §4.3).
bool is_secondary(const std::vector<sdp::SourceGroup>& groups, std::uint32_t ssrc) {
  return std::ranges::any_of(groups, [&](const sdp::SourceGroup& group) {
    return (group.semantics == "FID" || group.semantics == "FEC-FR") && group.ssrcs.size() == 2 &&
           group.ssrcs[1] == ssrc;
  });
}

std::optional<std::uint32_t> retransmission_of(const std::vector<sdp::SourceGroup>& groups,
                                               std::uint32_t ssrc) {
  for (const sdp::SourceGroup& group : groups) {
    if (group.semantics == "FID" && group.ssrcs.size() == 2 && group.ssrcs[0] == ssrc) {
      return group.ssrcs[1];
    }
  }
  return std::nullopt;
}

void set_names(OfferedMedium& medium, sdp::MediaStreamId id) {
  if (!medium.stream_id.empty()) return;
  medium.stream_id = std::move(id.stream);
  medium.track_id = std::move(id.track);
}

std::expected<void, Error> read_ssrcs(const sdp::MediaSection& section, OfferedMedium& medium) {
  const auto groups = sdp::read_all<sdp::SourceGroup>(section);
  if (!groups) return Unexpected(to_error(groups.error()));
  const auto attributes = sdp::read_all<sdp::SourceAttribute>(section);
  if (!attributes) return Unexpected(to_error(attributes.error()));
  for (const sdp::SourceAttribute& source : *attributes) {
    // The older place of a=msid.
    if (source.attribute == "msid") {
      if (auto id = sdp::MediaStreamId::parse(source.value)) set_names(medium, *std::move(id));
    }
    const bool is_known =
        std::ranges::find(medium.ssrcs, source.ssrc, &AnnouncedSource::ssrc) != medium.ssrcs.end();
    if (is_known || medium.ssrcs.size() == kMaxSources || is_secondary(*groups, source.ssrc)) {
      continue;
    }
    medium.ssrcs.push_back({source.ssrc, retransmission_of(*groups, source.ssrc)});
  }
  return {};
}

std::expected<void, Error> read_rids(const sdp::MediaSection& section, OfferedMedium& medium) {
  const sdp::Line* line = section.find(sdp::Simulcast::kName);
  if (line == nullptr) return {};
  const auto simulcast = sdp::read<sdp::Simulcast>(*line);
  if (!simulcast) return Unexpected(to_error(simulcast.error()));
  const auto rids = sdp::read_all<sdp::Rid>(section);
  if (!rids) return Unexpected(to_error(rids.error()));

  for (const auto& alternatives : simulcast->send) {
    if (medium.rids.size() == kMaxRids) break;
    const std::string& id = alternatives.front().rid;
    const auto rid = std::ranges::find_if(*rids, [&](const sdp::Rid& candidate) {
      return candidate.id == id && sdp::sends(candidate.direction);
    });
    if (rid == rids->end()) {
      return malformed(line->number,
                       "a=simulcast sends " + sdp::quote(id) + ", of which no a=rid tells.");
    }
    if (id.size() > kLongestId) {
      return malformed(line->number, "The RID " + sdp::quote(id) + " has more than " +
                                         std::to_string(kLongestId) + " characters.");
    }
    const auto has_same_id = [&](const OfferedRid& other) { return other.id == id; };
    if (std::ranges::any_of(medium.rids, has_same_id)) {
      return malformed(line->number, "a=simulcast sends " + sdp::quote(id) + " twice.");
    }
    medium.rids.push_back({id, rid->restrictions});
  }
  return {};
}

}  // namespace

std::expected<void, Error> read_sources(const sdp::MediaSection& section, OfferedMedium& medium) {
  if (!sdp::sends(medium.direction)) return {};
  if (const sdp::Line* line = section.find(sdp::MediaStreamId::kName)) {
    auto id = sdp::read<sdp::MediaStreamId>(*line);
    if (!id) return Unexpected(to_error(id.error()));
    set_names(medium, *std::move(id));
  }
  auto done = read_ssrcs(section, medium);
  if (done) done = read_rids(section, medium);
  return done;
}

}  // namespace runnel::negotiation
