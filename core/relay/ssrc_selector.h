// Which of a source's SSRCs is the one that is relayed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace runnel::relay {

/// The newest SSRC wins. The SSRCs that it has replaced are remembered, so that a straggler of an
/// old one does not win back what it has lost; the oldest is forgotten beyond `kRemembered`.
class SsrcSelector {
 public:
  static constexpr std::size_t kRemembered = 16;

  enum class Verdict : std::uint8_t {
    current,     // goes on
    newcomer,    // to be selected
    superseded,  // a straggler
  };

  /// `current_is_silent`: nothing came under the current SSRC for so long that an earlier one may
  /// return.
  [[nodiscard]] Verdict judge(std::uint32_t ssrc, bool current_is_silent) const noexcept;
  void select(std::uint32_t ssrc) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> current() const noexcept { return current_; }

 private:
  std::optional<std::uint32_t> current_;
  std::array<std::optional<std::uint32_t>, kRemembered> replaced_{};
  std::size_t next_ = 0;
};

}  // namespace runnel::relay
