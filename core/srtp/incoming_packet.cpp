#include "core/srtp/incoming_packet.h"

#include <algorithm>

#include "core/base/packet_slab.h"
#include "core/rtp/rtp_packet.h"
#include "core/srtp/packet_index.h"
#include "core/srtp/packet_layout.h"

namespace runnel::srtp {
namespace {

/// Where the parts behind the ciphertext begin.
struct Trailer {
  std::size_t clear_size;
  std::size_t tag;
  std::size_t mki;
  std::size_t index_word;  // RTCP
};

/// `size` is at least header and trailer together.
Trailer find_trailer(const ProfileParameters& sizes, std::size_t mki_size, PacketKind kind,
                     std::size_t size) noexcept {
  const std::size_t clear_size = size - overhead(sizes, kind, mki_size);
  if (sizes.is_aead) {
    return {.clear_size = clear_size,
            .tag = clear_size,
            .mki = size - mki_size,
            .index_word = clear_size + tag_size(sizes, kind)};
  }
  const std::size_t tag = size - tag_size(sizes, kind);
  return {.clear_size = clear_size, .tag = tag, .mki = tag - mki_size, .index_word = clear_size};
}

/// Of the clear part alone, so that no length field in it can reach into the trailer.
std::expected<std::size_t, Error> find_header_size(PacketKind kind, ByteView clear) noexcept {
  if (kind == PacketKind::rtcp) {
    if (!is_version_2(clear[0])) return std::unexpected(Error::malformed);
    return kRtcpHeaderSize;
  }
  const auto size = rtp::header_size(clear);
  if (!size) return std::unexpected(Error::malformed);
  return *size;
}

}  // namespace

std::expected<IncomingPacket, Error> parse_incoming(ReceiverState& receiver, PacketKind kind,
                                                    ByteSpan bytes) noexcept {
  const bool is_rtp = kind == PacketKind::rtp;
  const std::size_t least_size =
      (is_rtp ? rtp::kFixedHeaderSize : kRtcpHeaderSize) + receiver.overhead(kind);
  if (bytes.size() < least_size) return std::unexpected(Error::malformed);
  if (bytes.size() > kPacketCapacity) return std::unexpected(Error::too_long);
  const ProfileParameters& sizes = receiver.sizes();
  const Trailer trailer = find_trailer(sizes, receiver.mki_size(), kind, bytes.size());
  const auto header_size = find_header_size(kind, bytes.first(trailer.clear_size));
  if (!header_size) return std::unexpected(header_size.error());
  ReceiverKey* key = receiver.find_key(bytes.subspan(trailer.mki, receiver.mki_size()));
  if (key == nullptr) return std::unexpected(Error::unknown_mki);

  IncomingPacket packet{.bytes = bytes,
                        .kind = kind,
                        .header_size = *header_size,
                        .clear_size = trailer.clear_size,
                        .tag = bytes.subspan(trailer.tag, tag_size(sizes, kind)),
                        .key = &key->of(kind)};
  if (is_rtp) {
    packet.ssrc = load_be32(bytes.data() + kRtpSsrcOffset);
    packet.sequence_number = load_be16(bytes.data() + kRtpSequenceNumberOffset);
  } else {
    packet.ssrc = load_be32(bytes.data() + kRtcpSsrcOffset);
    packet.index_word = load_be32(bytes.data() + trailer.index_word);
    packet.is_encrypted = (packet.index_word & kEncryptedFlag) != 0;
  }
  return packet;
}

CandidateIndices::CandidateIndices(std::uint32_t expected_rollover_counter,
                                   std::uint16_t sequence_number) noexcept {
  const auto add = [&](std::uint32_t counter) {
    indices_[size_++] = packet_index(counter, sequence_number);
  };
  add(expected_rollover_counter);
  if (expected_rollover_counter != 0xffff'ffff) add(expected_rollover_counter + 1);
  if (expected_rollover_counter != 0) add(expected_rollover_counter - 1);
}

CandidateIndices CandidateIndices::behind(std::uint64_t highest, std::uint16_t sequence_number,
                                          std::uint32_t rounds) noexcept {
  CandidateIndices candidates;
  std::uint64_t index = packet_index(rollover_counter(highest), sequence_number);
  if (index <= highest) index += kSequenceNumbers;
  if (index > kMaxPacketIndex) return candidates;
  for (std::size_t rank = 0; rank < kNear; ++rank) {
    candidates.indices_[rank] = index + rank * kSequenceNumbers;
  }
  const std::uint64_t left = (kMaxPacketIndex - index) / kSequenceNumbers + 1;
  candidates.size_ = static_cast<std::size_t>(std::min<std::uint64_t>(rounds, left));
  return candidates;
}

}  // namespace runnel::srtp
