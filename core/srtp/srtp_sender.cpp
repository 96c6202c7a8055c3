#include "core/srtp/srtp_sender.h"

#include "core/rtp/rtp_packet.h"
#include "core/srtp/packet_layout.h"
#include "core/srtp/sender_state.h"

namespace runnel::srtp {

Sender::Sender(const MasterKey& key, SenderOptions options)
    : state_(std::make_unique<SenderState>(key, options)) {}
Sender::Sender(Sender&&) noexcept = default;
Sender& Sender::operator=(Sender&&) noexcept = default;
Sender::~Sender() = default;

Profile Sender::profile() const noexcept {
  return state_->profile();
}

std::size_t Sender::overhead(PacketKind kind) const noexcept {
  return state_->overhead(kind);
}

void Sender::forget(std::uint32_t ssrc) noexcept {
  state_->forget(ssrc);
}

std::expected<std::size_t, Error> Sender::protect_in_place(PacketKind kind, ByteSpan buffer,
                                                           std::size_t size) noexcept {
  if (size > buffer.size()) return std::unexpected(Error::too_long);
  const ByteSpan packet = buffer.first(size);
  std::size_t header_size = kRtcpHeaderSize;
  if (kind == PacketKind::rtp) {
    const auto parsed = rtp::header_size(packet);
    if (!parsed) return std::unexpected(Error::malformed);
    header_size = *parsed;
  }
  if (size < header_size) return std::unexpected(Error::malformed);
  ProtectJob job{.sender = this,
                 .kind = kind,
                 .out = buffer,
                 .header_size = header_size,
                 .payload = packet.subspan(header_size)};
  protect({&job, 1});
  return job.result;
}

}  // namespace runnel::srtp
