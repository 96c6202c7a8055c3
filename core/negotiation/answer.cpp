#include "core/negotiation/answer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/negotiation/answered_section.h"

namespace runnel::negotiation {

sdp::Setup setup_for(const PeerTransport& peer) noexcept {
  return peer.setup == sdp::Setup::passive ? sdp::Setup::active : sdp::Setup::passive;
}

std::string write_answer(const Offer& offer, std::span<const LocalMedium> accepted,
                         const LocalTransport& local, const Origin& origin, sdp::Setup setup) {
  std::vector<LocalSection> sections;
  for (const OfferedMedium& medium : offer.media) {
    const auto found = std::ranges::find(accepted, medium.index,
                                         [](const LocalMedium& m) { return m.agreed.section; });
    sections.push_back(found == accepted.end() ? unused_section(medium)
                                               : answered_section(medium, *found));
  }
  const bool mixed = std::ranges::any_of(offer.media, &OfferedMedium::mixed_extensions);
  return write_description({origin, setup, offer.bundle, mixed}, sections, local);
}

}  // namespace runnel::negotiation
