// Every reason for which media is dropped, in one enumeration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace runnel {

/// Each packet that arrives and does not leave is counted under exactly one of these. `probe`,
/// `duplicate_retransmission` and `layer_not_watched` belong to a healthy publication by a browser.
enum class DropReason : std::uint8_t {
  oversized,           // longer than a packet buffer; the kernel cut it
  not_rtp,             // neither RTP nor RTCP by its first bytes (RFC 7983), or of another version
  malformed,           // claims to be RTP or RTCP, and does not hold together
  source_not_allowed,  // not from the leg's allow list
  unknown_path,        // on a shared port, from an address that no leg uses
  unknown_ssrc,        // not the SSRC that the leg is pinned to, or RTCP about no track
  unknown_payload_type,      // no medium of the leg has it
  authentication_failed,     // wrong key, or a forged or damaged packet
  unknown_mki,               // names a master key that is not configured
  replayed,                  // seen before: a duplicate or a replay
  too_old,                   // behind the replay window
  too_many_ssrcs,            // the leg's table of SRTP contexts is full
  key_expired,               // the master key has protected as much as it may
  not_nominated,             // of a peer that has not chosen this path, or has ended
  before_keys,               // SRTP of a peer whose handshake is not over, beyond what is kept
  probe,                     // of padding only, sent to measure the path
  duplicate_retransmission,  // sent again although it had come; browsers measure the path so, too
  superseded_source,         // a straggler of the SSRC that a newer one has replaced
  no_receiver,               // the stream has no subscription that can take it now
  layer_not_watched,      // an encoding of simulcast that nobody gets, while another one is watched
  waiting_for_key_frame,  // the receiver can begin with a key frame alone, which has been asked for
  no_destination,         // the receiver's address is not known yet (not latched, or not resolved)
  paused,                 // the receiver asked for nothing to be sent, or its connection is away
  slow_reader,            // the receiver reads more slowly than it gets
  too_long_to_protect,    // does not fit into a packet buffer with header and tag
  receive_buffer_full,    // the kernel had no room for what arrived
  send_buffer_full,       // the kernel's socket buffer had no room
  unreachable,            // the network says that the receiver is not there
  connection_closed,      // the receiver's TCP connection is gone
  send_failed,            // any other refusal by the kernel
  queue_full,             // one of our own bounded queues was full
  count_                  // not a reason: how many there are
};

inline constexpr std::size_t kDropReasonCount = static_cast<std::size_t>(DropReason::count_);

/// The stable snake_case name, as in statistics and metrics.
[[nodiscard]] std::string_view to_string(DropReason reason) noexcept;
/// A half-sentence for people, such as "failed authentication (wrong key?)".
[[nodiscard]] std::string_view describe(DropReason reason) noexcept;

/// A counter for each reason. Never allocates.
class DropCounters {
 public:
  void add(DropReason reason, std::uint64_t count = 1) noexcept {
    counts_[static_cast<std::size_t>(reason)] += count;
  }
  [[nodiscard]] std::uint64_t operator[](DropReason reason) const noexcept {
    return counts_[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] std::uint64_t total() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count;
    return sum;
  }
  DropCounters& operator+=(const DropCounters& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

 private:
  std::array<std::uint64_t, kDropReasonCount> counts_{};
};

}  // namespace runnel
