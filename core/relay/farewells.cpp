#include "core/relay/farewells.h"

namespace runnel::relay {

void Farewells::add(const FarewellAddress& to, srtp::Sender* sender, ByteSpan buffer,
                    std::size_t size) {
  if (sender != nullptr) {
    const auto sealed = sender->protect_in_place(srtp::PacketKind::rtcp, buffer, size);
    if (!sealed) return;
    size = *sealed;
  }
  const ByteView packet = buffer.first(size);
  bytes_.insert(bytes_.end(), packet.begin(), packet.end());
  entries_.push_back({to, bytes_.size()});
}

void Farewells::deliver(Outbox& outbox) noexcept {
  for (; next_ < entries_.size() && !outbox.full(); ++next_) {
    const Entry& entry = entries_[next_];
    const ByteView sealed = ByteView(bytes_).subspan(next_begin_, entry.end - next_begin_);
    const ByteSpan slot = outbox.next_slot().first(sealed.size());
    copy_bytes(slot, sealed);
    const FarewellAddress& to = entry.to;
    if (to.channel) {
      outbox.push(OutgoingMessage{*to.channel, to.medium, true, slot, to.owner.number()});
    } else {
      outbox.push(OutgoingDatagram{to.port, to.destination, slot, to.owner.number()});
    }
    next_begin_ = entry.end;
  }
  if (next_ == entries_.size() && next_ != 0) *this = {};
}

}  // namespace runnel::relay
