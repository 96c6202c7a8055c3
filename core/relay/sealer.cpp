#include "core/relay/sealer.h"

namespace runnel::relay {

void Sealer::add(const Draft& draft) noexcept {
  if (draft.sender == nullptr) return add_clear(draft);
  const ByteSpan slot = outbox_.next_slot();
  jobs_[count_] = {draft.sender, draft.kind, slot, draft.header_size, draft.payload, 0};
  datagrams_[count_] = outbox_.datagrams().size();
  outbox_.push(OutgoingDatagram{draft.port, draft.destination, slot, draft.owner.number()});
  if (++count_ == kGroup) seal();
}

void Sealer::add_clear(const Draft& draft) noexcept {
  const ByteSpan slot = outbox_.next_slot();
  const ByteSpan body = slot.subspan(draft.header_size);
  if (draft.payload.data() != body.data()) copy_bytes(body, draft.payload);
  const ByteView bytes = slot.first(draft.header_size + draft.payload.size());
  const std::uint32_t owner = draft.owner.number();
  if (draft.channel) {
    const bool is_rtcp = draft.kind == srtp::PacketKind::rtcp;
    outbox_.push(OutgoingMessage{*draft.channel, draft.medium, is_rtcp, bytes, owner});
  } else {
    outbox_.push(OutgoingDatagram{draft.port, draft.destination, bytes, owner});
  }
  count_sent(draft.owner, bytes.size());
}

void Sealer::finish() noexcept {
  seal();
  if (failed_) outbox_.remove_empty();
}

void Sealer::seal() noexcept {
  srtp::protect(std::span(jobs_).first(count_));
  for (std::size_t i = 0; i < count_; ++i) set_outcome(jobs_[i], datagrams_[i]);
  count_ = 0;
}

void Sealer::set_outcome(const srtp::ProtectJob& job, std::size_t datagram) noexcept {
  OutgoingDatagram& outgoing = outbox_[datagram];
  const DatagramOwner owner(outgoing.owner);
  if (!job.result) {
    failed_ = true;
    outgoing.bytes = {};
    count_failure(owner, job.result.error());
    return;
  }
  outgoing.bytes = job.out.first(*job.result);
  count_sent(owner, *job.result);
}

void Sealer::count_sent(DatagramOwner owner, std::size_t size) noexcept {
  if (!owner.is_source()) state_.receivers[owner.index()].bytes += size;
}

void Sealer::count_failure(DatagramOwner owner, srtp::Error error) noexcept {
  if (owner.is_nobody()) return state_.stray_drops.add(srtp::drop_reason(error));
  if (owner.is_source()) {
    state_.tracks[owner.index()].drops.add(srtp::drop_reason(error));
    return;
  }
  ReceiverTrack& receiver = state_.receivers[owner.index()];
  receiver.drops.add(srtp::drop_reason(error));
  if (error != srtp::Error::key_expired || receiver.key_expired) return;
  receiver.key_expired = true;
  state_.say(KeyExpired{receiver.id});
}

}  // namespace runnel::relay
