#include "core/srtp/replay_window.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace runnel::srtp {
namespace {

constexpr std::uint64_t kWordBits = 64;

}  // namespace

ReplayWindow::ReplayWindow(std::size_t size)
    : size_(size), words_(std::bit_ceil(size / kWordBits), 0) {
  RUNNEL_CHECK(size != 0 && size % kWordBits == 0);
}

std::expected<void, Error> ReplayWindow::check(std::uint64_t index) const noexcept {
  if (empty_ || index > highest_) return {};
  if (highest_ - index >= size_) return std::unexpected(Error::too_old);
  if (is_marked(index)) return std::unexpected(Error::replayed);
  return {};
}

void ReplayWindow::accept(std::uint64_t index) noexcept {
  if (empty_) {
    highest_ = index;
    empty_ = false;
  } else if (index > highest_) {
    unmark_after_highest_up_to(index);
    highest_ = index;
  }
  mark(index);
}

void ReplayWindow::clear() noexcept {
  std::ranges::fill(words_, 0);
  highest_ = 0;
  empty_ = true;
}

bool ReplayWindow::is_marked(std::uint64_t index) const noexcept {
  const std::uint64_t word = words_[(index / kWordBits) & (words_.size() - 1)];
  return ((word >> (index % kWordBits)) & 1) != 0;
}

void ReplayWindow::mark(std::uint64_t index) noexcept {
  words_[(index / kWordBits) & (words_.size() - 1)] |= std::uint64_t{1} << (index % kWordBits);
}

void ReplayWindow::unmark_after_highest_up_to(std::uint64_t index) noexcept {
  const std::uint64_t ring_bits = words_.size() * kWordBits;
  if (index - highest_ >= ring_bits) {
    std::ranges::fill(words_, 0);
    return;
  }
  // Bits of the ring that the window has not reached yet hold indices of one round before.
  std::uint64_t next = highest_ + 1;
  while (next <= index) {
    const std::uint64_t first_bit = next % kWordBits;
    const std::uint64_t count = std::min(kWordBits - first_bit, index - next + 1);
    const std::uint64_t mask = (~std::uint64_t{0} >> (kWordBits - count)) << first_bit;
    words_[(next / kWordBits) & (words_.size() - 1)] &= ~mask;
    next += count;
  }
}

}  // namespace runnel::srtp
