// What a sender keeps: session keys, and for each SSRC how far it has got.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "core/srtp/error.h"
#include "core/srtp/master_key.h"
#include "core/srtp/packet_layout.h"
#include "core/srtp/session_key.h"
#include "core/srtp/srtp_sender.h"
#include "core/srtp/ssrc_table.h"

namespace runnel::srtp {

class SenderState {
 public:
  SenderState(const MasterKey& key, const SenderOptions& options);

  [[nodiscard]] Profile profile() const noexcept { return profile_; }
  [[nodiscard]] const ProfileParameters& sizes() const noexcept { return sizes_; }
  [[nodiscard]] ByteView mki() const noexcept { return mki_.view(); }
  [[nodiscard]] SessionKey& key(PacketKind kind) noexcept {
    return kind == PacketKind::rtp ? rtp_key_ : rtcp_key_;
  }
  /// By how much a packet grows.
  [[nodiscard]] std::size_t overhead(PacketKind kind) const noexcept {
    return srtp::overhead(sizes_, kind, mki_.size());
  }

  /// The packet index for an RTP packet that is being sent now; counts it.
  [[nodiscard]] std::expected<std::uint64_t, Error> take_rtp_index(
      std::uint32_t ssrc, std::uint16_t sequence_number) noexcept;
  /// The SRTCP index for an RTCP packet that is being sent now; counts it.
  [[nodiscard]] std::expected<std::uint64_t, Error> take_rtcp_index(std::uint32_t ssrc) noexcept;
  /// See Sender::forget.
  void forget(std::uint32_t ssrc) noexcept;

 private:
  struct Context {
    std::uint32_t ssrc = 0;
    std::uint64_t highest_index = 0;
    bool has_sent_rtp = false;
    std::uint32_t next_srtcp_index = 0;
  };

  [[nodiscard]] std::expected<std::uint64_t, Error> index_of(
      const Context* context, std::uint16_t sequence_number) const noexcept;
  [[nodiscard]] Context* find(std::uint32_t ssrc) noexcept;
  [[nodiscard]] Context* create(std::uint32_t ssrc) noexcept;

  Profile profile_;
  const ProfileParameters& sizes_;
  SenderOptions options_;
  SessionKey rtp_key_;
  SessionKey rtcp_key_;
  Secret<kMaxMkiSize> mki_;
  // How many more packets the master key may protect, over all its SSRCs (RFC 3711 §9.2).
  std::uint64_t rtp_packets_left_;
  std::uint64_t rtcp_packets_left_;
  SsrcTable table_;
  std::vector<Context> contexts_;
};

}  // namespace runnel::srtp
