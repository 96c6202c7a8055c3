// Protects RTP and RTCP packets under one master key (RFC 3711 §3.3, §3.4; RFC 7714 §8, §9).
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>

#include "core/base/bytes.h"
#include "core/srtp/error.h"
#include "core/srtp/master_key.h"
#include "core/srtp/packet_kind.h"

namespace runnel::srtp {

class SenderState;

struct SenderOptions {
  /// Most SSRCs that are sent at a time; see Sender::forget.
  std::size_t max_ssrcs = 64;
  /// To continue under a key that has been in use: the rollover counter and the SRTCP index that
  /// the first packets of each SSRC get. The key's lifetime counts from there.
  std::uint32_t initial_rollover_counter = 0;
  std::uint32_t initial_srtcp_index = 0;
};

/// The sending side: session keys, and for each SSRC the rollover counter and the SRTCP index.
/// Sequence numbers below the highest one sent are taken as reordering (RFC 3711 §3.3.1); a caller
/// must never send two different packets with one sequence number. A sequence number that would lie
/// before the first packet of all is refused as `too_old`. Move-only. Not thread-safe.
class Sender {
 public:
  explicit Sender(const MasterKey& key, SenderOptions options = {});
  Sender(Sender&&) noexcept;
  Sender& operator=(Sender&&) noexcept;
  ~Sender();

  [[nodiscard]] Profile profile() const noexcept;
  /// By how much a packet grows: tag and MKI, and 4 bytes of index for RTCP.
  [[nodiscard]] std::size_t overhead(PacketKind kind) const noexcept;

  /// Protects one packet in place; `buffer` holds the clear packet in its first `size` bytes and
  /// has room for the overhead. Answers the new size. A convenience over `protect` below.
  [[nodiscard]] std::expected<std::size_t, Error> protect_in_place(PacketKind kind, ByteSpan buffer,
                                                                   std::size_t size) noexcept;

  /// The SSRC will never be sent again under this key: its context makes room for another SSRC's.
  /// Nothing happens when it has none. Sent again all the same, it would begin anew with indices of
  /// RTP and RTCP that it has had, under which the key stream is the same: two packets under one
  /// give each other away (RFC 3711 §9.1). Nothing here could notice; the caller draws SSRCs so
  /// that none comes twice, as relay::SsrcSequence does. What they have sent still counts for the
  /// lifetime of the key.
  void forget(std::uint32_t ssrc) noexcept;

 private:
  friend void protect(std::span<struct ProtectJob> jobs) noexcept;
  std::unique_ptr<SenderState> state_;
};

/// One packet to protect. The whole clear header (RTP: with CSRCs and header extension; RTCP: the
/// first 8 bytes) stands at the front of `out`; the rest of the clear packet is read from
/// `payload`, which either starts at `out.data() + header_size` (in place) or does not overlap
/// `out`, so that one clear payload can feed many receivers without being copied first.
struct ProtectJob {
  Sender* sender = nullptr;
  PacketKind kind = PacketKind::rtp;
  ByteSpan out;
  std::size_t header_size = 0;
  ByteView payload;
  std::expected<std::size_t, Error> result = 0;  // out: size of the protected packet
};

/// Protects all jobs; a job that fails changes nothing for its neighbours and nothing in its
/// sender. Jobs may belong to any senders and are taken in order where they share one. Packets of
/// many senders are encrypted and authenticated together: pass 16 or more where possible. No
/// allocation once every SSRC has been seen. A packet of more than kPacketCapacity bytes, or more
/// than `out` holds, is `too_long`.
void protect(std::span<ProtectJob> jobs) noexcept;

}  // namespace runnel::srtp
