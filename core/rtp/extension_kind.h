// The RTP header extensions that Runnel knows, and the numbers under which a peer has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace runnel::rtp {

enum class ExtensionKind : std::uint8_t {
  mid,                    // RFC 9143 §15.1
  rid,                    // RFC 8852 §3.1
  repaired_rid,           // RFC 8852 §3.2
  audio_level,            // RFC 6464
  video_orientation,      // 3GPP TS 26.114 §7.4.5
  absolute_send_time,     // 24 bits of 6.18 fixed-point seconds
  transport_wide_number,  // draft-holmer-rmcat-transport-wide-cc-extensions-01
  absolute_capture_time,
  color_space,  // of key frames; without it full-range video is shown too light
  count_        // not a kind: how many there are
};
inline constexpr std::size_t kExtensionKindCount = static_cast<std::size_t>(ExtensionKind::count_);

/// As in a=extmap: "urn:ietf:params:rtp-hdrext:sdes:mid".
[[nodiscard]] std::string_view uri_of(ExtensionKind kind) noexcept;
[[nodiscard]] std::optional<ExtensionKind> extension_kind(std::string_view uri) noexcept;

/// What one m-line has agreed on: for each kind the id 1 to 255 in the packets; 0: not agreed.
class ExtensionIds {
 public:
  [[nodiscard]] std::uint8_t operator[](ExtensionKind kind) const noexcept {
    return ids_[static_cast<std::size_t>(kind)];
  }
  void set(ExtensionKind kind, std::uint8_t id) noexcept {
    ids_[static_cast<std::size_t>(kind)] = id;
  }
  [[nodiscard]] bool has(ExtensionKind kind) const noexcept { return (*this)[kind] != 0; }
  /// Whether none is agreed.
  [[nodiscard]] bool empty() const noexcept { return *this == ExtensionIds(); }
  /// The kind that has an id; nullopt: none.
  [[nodiscard]] std::optional<ExtensionKind> kind_of(std::uint8_t id) const noexcept {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (id != 0 && ids_[i] == id) return static_cast<ExtensionKind>(i);
    }
    return std::nullopt;
  }

  friend bool operator==(const ExtensionIds&, const ExtensionIds&) = default;

 private:
  std::array<std::uint8_t, kExtensionKindCount> ids_{};
};

}  // namespace runnel::rtp
