// PeerConnection: we offer.
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/negotiation/codec_names.h"
#include "core/negotiation/local_description.h"
#include "core/negotiation/peer_connection.h"
#include "core/negotiation/peer_connection_state.h"
#include "core/negotiation/same_peer.h"

namespace runnel::negotiation {
namespace {

using sdp::Direction;
using Unexpected = std::unexpected<Error>;

/// Brings `ours` and `said` up to date with what shall be.
void prepare(SectionRecord& record, NumberTable& numbers) {
  LocalSection& ours = record.ours;
  if (record.pending && !record.is_blocked()) {
    ours.formats = numbers.formats_for(record.pending->track.codec);
    ours.extensions = numbers.extensions_for(record.pending->track.codec.kind);
    ours.direction = Direction::sendonly;
    ours.source = record.pending->source;
    ours.rids.clear();
    record.said = Said::sends;
    return;
  }
  const bool goes_on = record.flow && !record.ending;
  ours.direction = goes_on ? record.flow->agreed.direction : Direction::inactive;
  record.said = !goes_on                     ? Said::is_idle
                : sdp::sends(ours.direction) ? Said::sends
                                             : Said::receives;
  if (!goes_on) {
    ours.source.reset();
    ours.rids.clear();
  }
}

/// Reads one m-line of the answer to an offer of ours.
class AnsweredSection {
 public:
  AnsweredSection(SectionRecord& record, const OfferedMedium& answered)
      : record_(record), answered_(answered) {}

  /// What there is to tell about it; nullopt: nothing.
  std::optional<Outcome> settle() {
    const Said said = std::exchange(record_.said, Said::nothing);
    record_.settled = true;
    if (record_.is_blocked()) return blocked();
    switch (said) {
      case Said::sends:
        return settle_sent();
      case Said::receives:
        return settle_received();
      case Said::nothing:
      case Said::is_idle:
        record_.flow.reset();
        record_.ending = false;
        break;
    }
    return std::nullopt;
  }

 private:
  std::optional<Outcome> refused(std::string sentence) {
    record_.flow.reset();
    record_.pending.reset();
    record_.ending = false;
    return Outcome{record_.ours.mid, std::nullopt, std::move(sentence)};
  }

  std::optional<Outcome> blocked() {
    record_.pending.reset();
    return Outcome{record_.ours.mid, std::nullopt,
                   "The peer has used its m-line for something else in the meantime."};
  }

  std::optional<Outcome> settle_sent() {
    const rtp::Codec& codec =
        record_.pending ? record_.pending->track.codec : record_.flow->agreed.codec;
    if (!answered_.usable) {
      record_.ours.rejected = true;
      return refused("The peer has refused " + describe(codec) + ". " + answered_.unusable_because);
    }
    if (!sdp::receives(answered_.direction)) {
      record_.peer_receives = false;
      return refused("The peer does not want to receive it (a=" +
                     std::string(sdp::to_string(answered_.direction)) + ").");
    }
    const PayloadFormat* format = most_suitable(answered_.formats, codec);
    if (format == nullptr) {
      return refused("The peer was offered " + describe(codec) + ", and answered with " +
                     names_of(answered_.formats) + ".");
    }
    return agreed(agree(answered_, *format, Direction::sendonly));
  }

  std::optional<Outcome> agreed(AgreedMedium medium) {
    const SentSource source = record_.pending ? record_.pending->source : *record_.flow->source;
    const bool is_new = record_.pending || has_changed(record_.flow->agreed, medium);
    record_.pending.reset();
    record_.flow = LocalMedium{medium, source};
    if (!is_new) return std::nullopt;
    return Outcome{record_.ours.mid, std::move(medium), ""};
  }

  static bool has_changed(const AgreedMedium& before, const AgreedMedium& now) {
    return before.payload_type != now.payload_type ||
           before.retransmission_payload_type != now.retransmission_payload_type ||
           before.event_payload_type != now.event_payload_type ||
           before.extensions != now.extensions || before.feedback != now.feedback;
  }

  std::optional<Outcome> settle_received() {
    if (answered_.usable && sdp::sends(answered_.direction)) return std::nullopt;
    record_.ours.rejected = !answered_.usable;
    return refused("The peer has stopped to send it.");
  }

  SectionRecord& record_;
  const OfferedMedium& answered_;
};

}  // namespace

std::string PeerConnection::write_offer(const LocalTransport& local) {
  PeerConnectionState& state = *state_;
  RUNNEL_CHECK(!state.is_offer_open);
  std::vector<LocalSection> sections;
  for (SectionRecord& record : state.sections) {
    prepare(record, state.numbers);
    sections.push_back(record.ours);
  }
  state.is_offer_open = true;
  ++state.generation;
  return write_description(
      {{state.session_id, ++state.version}, sdp::Setup::actpass, true, state.mixed_extensions},
      sections, local);
}

std::expected<std::vector<Outcome>, Error> PeerConnection::read_answer(std::string_view text) {
  PeerConnectionState& state = *state_;
  RUNNEL_CHECK(state.is_offer_open);
  const auto answer = parse_offer(text);
  if (!answer) return Unexpected(answer.error());
  if (auto checked = check_answer(state, *answer); !checked) {
    return Unexpected(std::move(checked.error()));
  }
  std::vector<Outcome> outcomes;
  for (const OfferedMedium& medium : answer->media) {
    auto outcome = AnsweredSection(state.sections[medium.index], medium).settle();
    if (outcome) outcomes.push_back(*std::move(outcome));
  }
  state.is_offer_open = false;
  state.peer = answer->transport;
  state.our_setup = setup_for(answer->transport);
  return outcomes;
}

}  // namespace runnel::negotiation
