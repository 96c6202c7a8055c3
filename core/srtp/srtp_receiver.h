// Unprotects SRTP and SRTCP packets of one sender of packets, under one or several master keys.
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

class ReceiverState;

inline constexpr std::size_t kMinReplayWindow = 64;
inline constexpr std::size_t kMaxReplayWindow = 32'768;

// See Receiver::expect_gap.
inline constexpr std::uint32_t kNearRounds = 3;
inline constexpr std::uint32_t kMaxGapRounds = 256;  // 16.7 million packets
inline constexpr std::uint32_t kFarSearches = 4;

struct ReceiverOptions {
  /// Packets that may be this far behind the newest and still be accepted once. A multiple of 64,
  /// kMinReplayWindow to kMaxReplayWindow.
  std::size_t replay_window = 1024;
  /// SSRC contexts kept; the least recently used one makes room for the next authenticated SSRC.
  std::size_t max_ssrcs = 64;
  /// The rollover counter that a new SSRC is expected to have.
  std::uint32_t initial_rollover_counter = 0;
};

/// The receiving side (RFC 3711 §3.3): estimates the packet index, looks at the replay window,
/// checks the tag, decrypts, and only then moves window and rollover counter. A packet that is not
/// authentic changes nothing but counters of the caller. On the first packet of an SSRC the
/// neighbouring rollover counters are tried as well, since the packets before a wrap may have been
/// lost. Move-only. Not thread-safe.
class Receiver {
 public:
  explicit Receiver(const MasterKey& key, ReceiverOptions options = {});
  /// Several master keys, told apart by MKI: all of one profile, MKIs of one length and distinct
  /// (anything else aborts).
  explicit Receiver(std::span<const MasterKey> keys, ReceiverOptions options = {});
  Receiver(Receiver&&) noexcept;
  Receiver& operator=(Receiver&&) noexcept;
  ~Receiver();

  [[nodiscard]] Profile profile() const noexcept;
  /// SSRCs with a context now.
  [[nodiscard]] std::size_t ssrc_count() const noexcept;
  /// Forgets all SSRC contexts (a new key exchange, or a test).
  void reset() noexcept;
  /// Nothing authentic has come for so long that a sender may have gone on by 2^15 packets or more,
  /// where the estimate of RFC 3711 §3.3.1 fails for good. Of each SSRC, the next RTP packet may
  /// then be ahead by up to `rounds` of the sequence number, 2^16 packets each, and at most
  /// kMaxGapRounds; its tag decides. Old packets stay refused.
  ///
  /// A forged packet costs a check of the tag for each round. So only the first kFarSearches
  /// packets after each call are looked for in all rounds, the others in the nearest kNearRounds:
  /// call it now and then, once a second or so, while the silence lasts.
  void expect_gap(std::uint32_t rounds) noexcept;

  /// One packet; a convenience over `unprotect` below.
  [[nodiscard]] std::expected<std::size_t, Error> unprotect_in_place(PacketKind kind,
                                                                     ByteSpan packet) noexcept;

 private:
  friend void unprotect(std::span<struct UnprotectJob> jobs) noexcept;
  std::unique_ptr<ReceiverState> state_;
};

/// One packet to unprotect in place. After a failure its content is undefined. More than
/// kPacketCapacity bytes are `too_long`.
struct UnprotectJob {
  Receiver* receiver = nullptr;
  PacketKind kind = PacketKind::rtp;
  ByteSpan packet;
  std::expected<std::size_t, Error> result =
      0;  // out: size of the clear packet, which starts at packet[0]
};

/// Unprotects all jobs, of any receivers, in order. A duplicate within the batch is refused like
/// any other; a forged packet neither fails nor delays its neighbours. No allocation but the first
/// authenticated packet of an SSRC.
void unprotect(std::span<UnprotectJob> jobs) noexcept;

}  // namespace runnel::srtp
