// What a receiver keeps: session keys by MKI, and for each SSRC what has been received.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/srtp/master_key.h"
#include "core/srtp/packet_layout.h"
#include "core/srtp/replay_window.h"
#include "core/srtp/session_key.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/ssrc_table.h"

namespace runnel::srtp {

/// The session keys of one master key.
class ReceiverKey {
 public:
  explicit ReceiverKey(const MasterKey& key)
      : mki_(key.mki()), rtp_(key, PacketKind::rtp), rtcp_(key, PacketKind::rtcp) {}

  [[nodiscard]] ByteView mki() const noexcept { return mki_.view(); }
  [[nodiscard]] SessionKey& of(PacketKind kind) noexcept {
    return kind == PacketKind::rtp ? rtp_ : rtcp_;
  }

 private:
  Secret<kMaxMkiSize> mki_;
  SessionKey rtp_;
  SessionKey rtcp_;
};

/// One SSRC. Exists only for SSRCs of which an authentic packet has come.
struct ReceiverContext {
  ReceiverContext(std::uint32_t own_ssrc, std::size_t replay_window)
      : ssrc(own_ssrc), rtp(replay_window), rtcp(replay_window) {}

  [[nodiscard]] ReplayWindow& window(PacketKind kind) noexcept {
    return kind == PacketKind::rtp ? rtp : rtcp;
  }

  std::uint32_t ssrc;
  ReplayWindow rtp;
  ReplayWindow rtcp;
  std::uint64_t last_used = 0;
  /// The next RTP packet may be farther ahead than the estimate reaches.
  bool gap_expected = false;
  /// The highest RTP index there will be when every packet of the batch under way is authentic;
  /// between batches the highest accepted one.
  std::uint64_t pending_highest = 0;
};

class ReceiverState {
 public:
  ReceiverState(std::span<const MasterKey> keys, const ReceiverOptions& options);

  [[nodiscard]] Profile profile() const noexcept { return profile_; }
  [[nodiscard]] const ProfileParameters& sizes() const noexcept { return sizes_; }
  [[nodiscard]] const ReceiverOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::size_t mki_size() const noexcept { return keys_.front().mki().size(); }
  /// By how much a protected packet is longer than the clear one.
  [[nodiscard]] std::size_t overhead(PacketKind kind) const noexcept {
    return srtp::overhead(sizes_, kind, mki_size());
  }
  /// nullptr when no key has this MKI.
  [[nodiscard]] ReceiverKey* find_key(ByteView mki) noexcept;

  [[nodiscard]] std::size_t context_count() const noexcept { return contexts_.size(); }
  /// nullptr when this SSRC has none. Stays valid until a context is evicted or all are cleared.
  [[nodiscard]] ReceiverContext* find_context(std::uint32_t ssrc) noexcept;
  /// Whether another context fits without evicting one, should every packet of the batch under way
  /// be authentic.
  [[nodiscard]] bool has_room() const noexcept {
    return contexts_.size() + pending_contexts < options_.max_ssrcs;
  }
  /// Only for an authentic packet of an SSRC that has none. Evicts the least recently used one when
  /// there is no room.
  [[nodiscard]] ReceiverContext& add_context(std::uint32_t ssrc);
  /// Only for an authentic packet.
  void mark_used(ReceiverContext& context) noexcept { context.last_used = ++use_count_; }
  void clear_contexts() noexcept;
  void expect_gap(std::uint32_t rounds) noexcept;
  /// How many rounds ahead the packet that comes next is to be looked for.
  [[nodiscard]] std::uint32_t take_gap_rounds() noexcept;

  /// How many packets of the batch under way may each add a context.
  std::size_t pending_contexts = 0;

 private:
  [[nodiscard]] ReceiverContext& recycle_least_recently_used(std::uint32_t ssrc) noexcept;

  Profile profile_;
  const ProfileParameters& sizes_;
  ReceiverOptions options_;
  std::vector<ReceiverKey> keys_;
  SsrcTable table_;
  std::vector<std::unique_ptr<ReceiverContext>> contexts_;  // most receivers see an SSRC or two
  std::uint64_t use_count_ = 0;
  std::uint32_t gap_rounds_ = 0;
  std::uint32_t far_searches_ = 0;  // packets that may still be looked for in all of them
};

}  // namespace runnel::srtp
