// Which of a source's SSRCs is the one that is relayed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace runnel::relay {

/// The newest SSRC wins. The SSRCs that it has replaced are remembered, so that a straggler of an
/// old one does not win back what it has lost; the oldest is forgotten beyond `kRemembered`.
///
/// What seems the newest may be a packet that somebody recorded in an earlier session under the
/// same key. It is betrayed by the SSRC before it, which goes on: one that insists may return.
class SsrcSelector {
 public:
  static constexpr std::size_t kRemembered = 16;
  /// A source that was really replaced has fewer packets under way.
  static constexpr std::uint8_t kInsistence = 8;

  enum class Verdict : std::uint8_t {
    current,     // goes on
    newcomer,    // to be selected
    superseded,  // a straggler
  };

  /// `current_is_silent`: nothing came under the current SSRC for so long that an earlier one may
  /// return.
  [[nodiscard]] Verdict judge(std::uint32_t ssrc, bool current_is_silent) const noexcept;
  void select(std::uint32_t ssrc) noexcept;
  /// A packet of the current SSRC was good: all others have to insist from the start.
  void current_delivered() noexcept;
  /// Another packet of a superseded SSRC. True from the `kInsistence`th on since the current one
  /// has delivered any.
  [[nodiscard]] bool insists(std::uint32_t ssrc) noexcept;
  /// For a newcomer that is not authenticated, while the current SSRC flows: two of its packets in
  /// sequence are a source (RFC 3550 A.1), and the second is to be selected; one may be anything.
  [[nodiscard]] bool is_in_sequence(std::uint32_t ssrc, std::uint16_t sequence_number) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> current() const noexcept { return current_; }

 private:
  struct Replaced {
    std::optional<std::uint32_t> ssrc;
    std::uint8_t packets = 0;  // since the current SSRC's last; up to kInsistence
  };

  [[nodiscard]] static auto has(std::uint32_t ssrc) noexcept {
    return [ssrc](const Replaced& replaced) { return replaced.ssrc == ssrc; };
  }

  struct Candidate {
    std::uint32_t ssrc = 0;
    std::uint16_t next_sequence_number = 0;
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };

  std::optional<std::uint32_t> current_;
  std::optional<Candidate> candidate_;
  std::array<Replaced, kRemembered> replaced_{};
  bool any_insists_ = false;  // some count in `replaced_` is not 0
  std::size_t next_ = 0;
};

}  // namespace runnel::relay
