// SSRCs that we no longer send, but whose packets somebody may still have and send back to us.
#pragma once

#include <cstdint>
#include <vector>

#include "core/srtp/ssrc_table.h"

namespace runnel::relay {

/// Remembers the last ones that came in. Allocates in `reserve` alone.
class RetiredSsrcs {
 public:
  /// Makes room for at least `capacity`, and forgets none. Never shrinks.
  void reserve(std::size_t capacity);
  /// `ssrc` is not contained. Without room the oldest is forgotten.
  void add(std::uint32_t ssrc) noexcept;
  [[nodiscard]] bool contains(std::uint32_t ssrc) const noexcept {
    return table_.find(ssrc).has_value();
  }

 private:
  std::vector<std::uint32_t> ring_;
  std::size_t capacity_ = 0;
  std::size_t oldest_ = 0;  // in the ring, once that is full
  srtp::SsrcTable table_{0};
};

}  // namespace runnel::relay
