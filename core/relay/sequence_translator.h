// From a place on the source's line to the sequence number that one receiver sees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace runnel::relay {

/// Adds an offset that holds as long as the receiver is served without interruption. Whoever was
/// interrupted goes on behind the last number it got, however far the line has run meanwhile: a
/// jump of more than 2^15 would be taken for reordering by SRTP and use an old keystream again.
class SequenceTranslator {
 public:
  /// Begins with a number of at least SequenceWindow::kSize and below 2^15, made of `random`: room
  /// for packets that were reordered before the first one, and far from the wrap (RFC 3711 §3.3.1).
  void start(std::uint64_t position, std::uint16_t random) noexcept;
  /// Goes on behind the highest number so far; must have been started before.
  void resume(std::uint64_t position) noexcept;
  void pause() noexcept { running_ = false; }
  [[nodiscard]] bool running() const noexcept { return running_; }

  /// nullopt for a position whose number would have been given before the receiver was served.
  [[nodiscard]] std::optional<std::uint16_t> translate(std::uint64_t position) noexcept {
    if (position < first_position_) return std::nullopt;
    highest_position_ = std::max(highest_position_, position);
    return static_cast<std::uint16_t>(position + offset_);
  }

 private:
  bool running_ = false;
  std::uint64_t first_position_ = 0;
  std::uint64_t highest_position_ = 0;
  std::uint64_t offset_ = 0;  // modulo 2^64, of which the low 16 bits count
};

}  // namespace runnel::relay
