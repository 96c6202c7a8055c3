#include "core/negotiation/peer_connection.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/negotiation/codec_names.h"
#include "core/negotiation/peer_connection_state.h"

namespace runnel::negotiation {
namespace {

constexpr std::string_view kUsualProtocol = "UDP/TLS/RTP/SAVPF";

void begin(SectionRecord& record, rtp::MediaKind kind, std::string mid) {
  record = SectionRecord();
  record.kind = kind;
  record.ours.media = rtp::to_string(kind);
  record.ours.protocol = kUsualProtocol;
  record.ours.mid = std::move(mid);
  record.ours.reduced_size_rtcp = true;
}

}  // namespace

SectionRecord* PeerConnectionState::find(std::string_view mid) noexcept {
  const auto found = std::ranges::find_if(
      sections, [&](const SectionRecord& record) { return record.ours.mid == mid; });
  return found == sections.end() ? nullptr : &*found;
}

std::size_t PeerConnectionState::settled_count() const noexcept {
  return static_cast<std::size_t>(std::ranges::count(sections, true, &SectionRecord::settled));
}

void PeerConnectionState::forget_unknown() {
  std::erase_if(sections, [](const SectionRecord& record) {
    return !record.settled && record.said == Said::nothing && record.is_free();
  });
}

std::string PeerConnectionState::draw_mid() {
  while (true) {
    std::string mid = "s" + std::to_string(next_mid++);
    if (find(mid) == nullptr) return mid;
  }
}

SectionRecord* PeerConnectionState::place_for(rtp::MediaKind kind, std::size_t most) {
  for (SectionRecord& record : sections) {
    if (record.is_free() && record.peer_receives && record.kind == kind) return &record;
  }
  // RFC 9429 §5.2.2: a rejected m-line may become any other. Not while the peer may be reading of
  // it.
  for (SectionRecord& record : sections) {
    const bool is_rejected = record.settled && record.kind && record.ours.rejected;
    if (is_offer_open || !is_rejected || record.pending) continue;
    begin(record, kind, draw_mid());
    record.settled = true;
    return &record;
  }
  if (sections.size() >= most) return nullptr;
  begin(sections.emplace_back(), kind, draw_mid());
  return &sections.back();
}

PeerConnection::PeerConnection(std::uint64_t session_id)
    : state_(std::make_unique<PeerConnectionState>()) {
  state_->session_id = session_id;
}
PeerConnection::~PeerConnection() = default;
PeerConnection::PeerConnection(PeerConnection&&) noexcept = default;
PeerConnection& PeerConnection::operator=(PeerConnection&&) noexcept = default;

std::expected<std::string, Error> PeerConnection::add(const Track& track,
                                                      const SentSource& source) {
  if (const auto received = state_->numbers.refused(track.codec)) {
    return std::unexpected(Error{ErrorKind::unknown_codec, 0,
                                 "The track \"" + track.name + "\" is " + describe(track.codec) +
                                     ", and the peer can receive " + names_of(*received) + "."});
  }
  if (state_->numbers.formats_for(track.codec).empty()) {
    return std::unexpected(
        Error{ErrorKind::no_media, 0, "The connection has used up all payload types."});
  }
  SectionRecord* record = state_->place_for(track.codec.kind, kMaxSections);
  if (record == nullptr) {
    return std::unexpected(Error{ErrorKind::no_media, 0,
                                 "The connection has " + std::to_string(kMaxSections) +
                                     " m-lines, and more are not allowed."});
  }
  record->pending = PendingTrack{track, source};
  return record->ours.mid;
}

void PeerConnection::remove(std::string_view mid) {
  SectionRecord* record = state_->find(mid);
  if (record == nullptr) return;
  if (record->flow || record->said == Said::sends) {
    record->ending = true;
  } else {
    record->pending.reset();
  }
  state_->forget_unknown();
}

bool PeerConnection::has_changes() const noexcept {
  return std::ranges::any_of(state_->sections, [](const SectionRecord& record) {
    return (record.pending && record.said != Said::sends) ||
           (record.ending && record.said != Said::is_idle);
  });
}

std::uint32_t PeerConnection::generation() const noexcept {
  return state_->generation;
}
bool PeerConnection::is_offer_open() const noexcept {
  return state_->is_offer_open;
}

const PeerTransport& PeerConnection::peer_transport() const noexcept {
  RUNNEL_CHECK(state_->peer.has_value());
  return *state_->peer;
}
bool PeerConnection::has_peer_transport() const noexcept {
  return state_->peer.has_value();
}

void PeerConnection::set_peer_credentials(std::string ufrag, std::string password) {
  RUNNEL_CHECK(state_->peer.has_value());
  state_->peer->ufrag = std::move(ufrag);
  state_->peer->password = std::move(password);
}

sdp::Setup PeerConnection::our_setup() const noexcept {
  return state_->our_setup.value_or(sdp::Setup::passive);
}

std::vector<LocalMedium> PeerConnection::media() const {
  std::vector<LocalMedium> agreed;
  for (const SectionRecord& record : state_->sections) {
    if (record.flow) agreed.push_back(*record.flow);
  }
  return agreed;
}

}  // namespace runnel::negotiation
