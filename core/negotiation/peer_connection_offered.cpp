// PeerConnection: the peer offers.
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/negotiation/answer.h"
#include "core/negotiation/answered_section.h"
#include "core/negotiation/codec_match.h"
#include "core/negotiation/peer_connection.h"
#include "core/negotiation/peer_connection_state.h"
#include "core/negotiation/same_peer.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

/// Whether the peer still offers what was agreed, and under which terms.
std::expected<std::optional<LocalMedium>, Error> continue_flow(const LocalMedium& flow,
                                                               const OfferedMedium& medium) {
  const auto ours = flow.agreed.direction;
  const bool goes_on = medium.usable && (sdp::receives(ours) ? sdp::sends(medium.direction)
                                                             : sdp::receives(medium.direction));
  if (!goes_on) return std::nullopt;
  const auto format =
      std::ranges::find(medium.formats, flow.agreed.payload_type, &PayloadFormat::payload_type);
  if (format == medium.formats.end() || !is_same_name(format->codec.name, flow.agreed.codec.name)) {
    return Unexpected(Error{ErrorKind::malformed, medium.line,
                            "The payload type " + std::to_string(flow.agreed.payload_type) +
                                " of a=mid:" + medium.mid + " was agreed to be " +
                                flow.agreed.codec.name + ", and must stay so."});
  }
  return LocalMedium{agree(medium, *format, ours), flow.source};
}

/// What the answer has said of an m-line of the offer.
void take_over(SectionRecord& record, const OfferedMedium& medium, const LocalMedium* accepted) {
  record.kind = medium.kind;
  record.settled = true;
  record.peer_receives = sdp::receives(medium.direction);
  record.ours = accepted != nullptr ? answered_section(medium, *accepted) : unused_section(medium);
  record.flow.reset();
  if (accepted != nullptr) record.flow = *accepted;
  record.ending = false;
}

}  // namespace

std::expected<Offer, Error> PeerConnection::read_offer(std::string_view text) const {
  auto offer = parse_offer(text);
  if (!offer) return offer;
  const std::size_t settled = state_->settled_count();
  if (offer->media.size() < settled) {
    return Unexpected(Error{ErrorKind::malformed, 0,
                            "The offer has " + std::to_string(offer->media.size()) +
                                " m-lines, and the last description had " +
                                std::to_string(settled) + "; none may go."});
  }
  for (std::size_t i = 0; i < settled; ++i) {
    const SectionRecord& record = state_->sections[i];
    if (record.ours.rejected) continue;  // it may have become another
    if (auto same = check_same_section(record, offer->media[i]); !same) {
      return Unexpected(std::move(same.error()));
    }
  }
  if (state_->peer) {
    if (auto same = check_same_peer(*state_->peer, offer->transport); !same) {
      return Unexpected(std::move(same.error()));
    }
  }
  return offer;
}

bool PeerConnection::restarts_ice(const PeerTransport& peer) const noexcept {
  return state_->peer &&
         (state_->peer->ufrag != peer.ufrag || state_->peer->password != peer.password);
}

std::expected<std::vector<LocalMedium>, Error> PeerConnection::continued(const Offer& offer) const {
  std::vector<LocalMedium> media;
  for (std::size_t i = 0; i < state_->sections.size() && i < offer.media.size(); ++i) {
    const SectionRecord& record = state_->sections[i];
    if (!record.settled || !record.flow || record.ending) continue;
    auto flow = continue_flow(*record.flow, offer.media[i]);
    if (!flow) return Unexpected(std::move(flow.error()));
    if (*flow) media.push_back(**std::move(flow));
  }
  return media;
}

std::string PeerConnection::write_answer(const Offer& offer, std::span<const LocalMedium> accepted,
                                         const LocalTransport& local) {
  PeerConnectionState& state = *state_;
  state.is_offer_open = false;
  for (SectionRecord& record : state.sections) {
    record.said = Said::nothing;
    if (record.ending) record.pending.reset();
  }
  state.forget_unknown();
  // New m-lines of the peer stand before those of ours that it has not heard of.
  const std::size_t settled = state.settled_count();
  RUNNEL_CHECK(offer.media.size() >= settled);
  state.sections.insert(state.sections.begin() + static_cast<std::ptrdiff_t>(settled),
                        offer.media.size() - settled, SectionRecord());

  for (const OfferedMedium& medium : offer.media) {
    const auto found = std::ranges::find(
        accepted, medium.index,
        [](const LocalMedium& local_medium) { return local_medium.agreed.section; });
    take_over(state.sections[medium.index], medium, found == accepted.end() ? nullptr : &*found);
    if (medium.usable) state.numbers.learn(medium);
  }
  state.mixed_extensions = std::ranges::any_of(offer.media, &OfferedMedium::mixed_extensions);
  state.peer = offer.transport;
  if (!state.our_setup) state.our_setup = setup_for(offer.transport);
  return negotiation::write_answer(offer, accepted, local, {state.session_id, ++state.version},
                                   *state.our_setup);
}

}  // namespace runnel::negotiation
