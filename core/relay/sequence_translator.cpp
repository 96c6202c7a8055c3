#include "core/relay/sequence_translator.h"

#include "core/relay/sequence_window.h"

namespace runnel::relay {

void SequenceTranslator::start(std::uint64_t position, std::uint16_t random) noexcept {
  constexpr std::uint64_t kRange = (std::uint64_t{1} << 15) - SequenceWindow::kSize;
  running_ = true;
  // A position is never below kSize, see SourceLine.
  first_position_ = position - SequenceWindow::kSize;
  highest_position_ = position;
  offset_ = SequenceWindow::kSize + random % kRange - position;
}

void SequenceTranslator::resume(std::uint64_t position) noexcept {
  running_ = true;
  offset_ += highest_position_ + 1 - position;
  first_position_ = position;
  highest_position_ = position;
}

}  // namespace runnel::relay
