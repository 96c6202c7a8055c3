#include "core/voice/output.h"

#include "core/base/check.h"

namespace runnel::voice {

Packet::Packet(const rtp::RtpHeader& header, ByteView payload) noexcept {
  RUNNEL_CHECK(payload.size() <= kMaxPacketSamples);
  const std::size_t header_size = rtp::write_header(header, storage_);
  copy_bytes(ByteSpan(storage_).subspan(header_size), payload);
  size_ = header_size + payload.size();
}

}  // namespace runnel::voice
