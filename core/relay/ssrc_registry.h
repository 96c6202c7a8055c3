// Every SSRC that this engine sends or has promised, so that a random one never collides with
// another.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/base/random.h"
#include "core/relay/retired_ssrcs.h"
#include "core/relay/ssrc_sequence.h"

namespace runnel::relay {

class SsrcRegistry {
 public:
  /// For each SSRC in use, so many are remembered that no longer are.
  static constexpr std::size_t kRetiredForEach = 4;
  static constexpr std::size_t kLeastRetired = 1024;

  explicit SsrcRegistry(RandomSource& random) noexcept : sequence_(random) {}

  /// Makes room for that many SSRCs at once, and for those that will have been theirs before.
  void reserve(std::size_t ssrcs);
  /// Pinned by the configuration; several legs with different keys may pin the same.
  void add_pinned(std::uint32_t ssrc) { pinned_.insert(ssrc); }
  /// Once for each `add_pinned`.
  void remove_pinned(std::uint32_t ssrc) noexcept;
  /// One that nobody uses, and that was not drawn among the last 2^32; see SsrcSequence.
  [[nodiscard]] std::uint32_t draw();
  /// Retires `old` and draws another one. Does not allocate.
  [[nodiscard]] std::uint32_t redraw(std::uint32_t old) noexcept;
  /// A drawn one is no longer sent.
  void retire(std::uint32_t ssrc) noexcept;
  /// As `draw`, but for somebody else to send.
  [[nodiscard]] std::uint32_t reserve_one();
  /// One from `reserve_one` after all is for us to send; as if it had been drawn.
  void adopt(std::uint32_t ssrc) {
    reserved_.erase(ssrc);
    drawn_.insert(ssrc);
  }
  /// Nothing happens when it is not reserved.
  void release(std::uint32_t ssrc) noexcept { reserved_.erase(ssrc); }
  /// Whether a packet with this SSRC is one of our own, of now or of a while ago, that somebody
  /// sends back to us (RFC 3550 §8.2): where both directions share a key, it would be authentic.
  /// Pinned ones do not count, since a relay may be told to keep its source's SSRC.
  [[nodiscard]] bool is_our_own(std::uint32_t ssrc) const noexcept {
    return drawn_.contains(ssrc) || retired_.contains(ssrc);
  }
  /// How many are drawn, pinned or reserved.
  [[nodiscard]] std::size_t size() const noexcept {
    return drawn_.size() + pinned_.size() + reserved_.size();
  }

 private:
  [[nodiscard]] std::uint32_t unused() noexcept;

  SsrcSequence sequence_;
  std::unordered_set<std::uint32_t> drawn_;
  std::unordered_multiset<std::uint32_t> pinned_;
  std::unordered_set<std::uint32_t> reserved_;
  RetiredSsrcs retired_;
};

}  // namespace runnel::relay
