#include "core/negotiation/same_peer.h"

#include <algorithm>

#include "core/negotiation/codec_match.h"

namespace runnel::negotiation {
namespace {

std::unexpected<Error> malformed(std::size_t line, std::string message) {
  return std::unexpected(Error{ErrorKind::malformed, line, std::move(message)});
}

}  // namespace

std::expected<void, Error> check_same_section(const SectionRecord& before,
                                              const OfferedMedium& now) {
  if (now.media != before.ours.media) {
    return malformed(now.line, "This m-line was of " + before.ours.media +
                                   " before, and the order of m-lines must stay.");
  }
  // A rejected m-line needs no MID.
  if (now.mid != before.ours.mid && (now.usable || !now.mid.empty())) {
    return malformed(now.line, "This m-line has a=mid:" + now.mid + " and had a=mid:" +
                                   before.ours.mid + " before, which must stay.");
  }
  return {};
}

std::expected<void, Error> check_same_peer(const PeerTransport& before, const PeerTransport& now) {
  const auto is_known = [&](const std::string& fingerprint) {
    return std::ranges::any_of(before.fingerprints, [&](const std::string& known) {
      return is_same_name(known, fingerprint);
    });
  };
  if (std::ranges::all_of(now.fingerprints, is_known)) return {};
  return malformed(0, "a=fingerprint has changed; make a new connection for another certificate.");
}

std::expected<void, Error> check_answer(const PeerConnectionState& state, const Offer& answer) {
  const auto offered = static_cast<std::size_t>(std::ranges::count_if(
      state.sections, [](const SectionRecord& record) { return record.said != Said::nothing; }));
  if (answer.media.size() != offered) {
    return malformed(0, "The answer has " + std::to_string(answer.media.size()) +
                            " m-lines, and the offer has " + std::to_string(offered) + ".");
  }
  for (const OfferedMedium& medium : answer.media) {
    auto same = check_same_section(state.sections[medium.index], medium);
    if (!same) return same;
  }
  if (answer.transport.setup == sdp::Setup::actpass) {
    return malformed(0, "a=setup of an answer must be active or passive, and is actpass.");
  }
  if (state.our_setup && *state.our_setup != setup_for(answer.transport)) {
    return malformed(0, "a=setup has changed, and the DTLS association must stay.");
  }
  return state.peer ? check_same_peer(*state.peer, answer.transport) : std::expected<void, Error>();
}

}  // namespace runnel::negotiation
