// From a source's header extensions to a receiver's: what both have agreed on goes through, what is
// the connection's own is written anew.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/extension_kind.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::rtp {

/// Where the known elements of one packet's header extension lie; found once, asked for each
/// receiver. Places, not views, so that they hold for a copy of the packet too.
class ParsedExtensions {
 public:
  /// None.
  ParsedExtensions() noexcept = default;
  /// Of the first element of each kind. What comes before a malformed element counts; elements
  /// beyond the first 64 KiB of the header, and empty ones, do not.
  [[nodiscard]] static ParsedExtensions parse(const RtpPacketView& packet,
                                              const ExtensionIds& ids) noexcept;

  [[nodiscard]] bool has(ExtensionKind kind) const noexcept { return place(kind).size != 0; }
  /// `packet` is the packet that was parsed, or a copy of its header. Empty when there is none.
  [[nodiscard]] ByteView data(ByteView packet, ExtensionKind kind) const noexcept {
    return packet.subspan(place(kind).offset, place(kind).size);
  }

 private:
  // Without a gap, so that all of them are copied as one.
  struct Place {
    std::uint16_t offset = 0;
    std::uint16_t size = 0;
  };
  [[nodiscard]] const Place& place(ExtensionKind kind) const noexcept {
    return places_[static_cast<std::size_t>(kind)];
  }

  std::array<Place, kExtensionKindCount> places_{};
};

/// What a receiver sees in place of the source's fields.
struct OutgoingFields {
  std::uint8_t payload_type = 0;
  std::uint16_t sequence_number = 0;
  RtpTime timestamp = {};
  std::uint32_t ssrc = 0;
};
/// `header` is a whole fixed header, at least.
inline void set_fields(ByteSpan header, const OutgoingFields& fields) noexcept {
  set_payload_type(header, fields.payload_type);
  set_sequence_number(header, fields.sequence_number);
  set_timestamp(header, fields.timestamp);
  set_ssrc(header, fields.ssrc);
}

/// What is stamped anew for each packet, where the receiver has agreed on it.
struct ExtensionStamps {
  std::uint32_t absolute_send_time = 0;  // 24 bits of 6.18 fixed-point seconds
  std::uint16_t transport_wide_number = 0;
};

/// 6.18 fixed-point seconds, modulo 64 s, as absolute_send_time carries them. The clock's zero does
/// not matter to receivers.
[[nodiscard]] std::uint32_t absolute_send_time(Timestamp when) noexcept;

/// Writes the headers of one receiver's packets. Audio level, video orientation, absolute
/// capture time and color space are the media's own and go through when the receiver has agreed on
/// them, as far as they have the size that they are defined with; MID, absolute send time and the
/// transport-wide number belong to the connection and are the receiver's own; RID and everything
/// unknown end here.
class ExtensionRewriter {
 public:
  /// Fixed header, 15 CSRCs, and all that is written in the two-byte form.
  static constexpr std::size_t kMaxHeaderSize = 12 + 4 * 15 + 4 + 60;
  static constexpr std::size_t kMaxMidSize = 16;

  /// `ids` as the receiver has agreed on; `mid` at most kMaxMidSize characters, not written when
  /// empty. The form of the elements is the one-byte one unless the receiver has an id above 14.
  ExtensionRewriter(const ExtensionIds& ids, std::string_view mid) noexcept;

  /// Writes the header of a packet whose checked source is `packet` (its header, at least): marker,
  /// padding bit and CSRCs stay. Answers the header's size, at most kMaxHeaderSize, for which `out`
  /// must have room. Never fails.
  [[nodiscard]] std::size_t write(ByteView packet, const ParsedExtensions& extensions,
                                  const OutgoingFields& fields, const ExtensionStamps& stamps,
                                  ByteSpan out) const noexcept;

  /// Whether the receiver's packets carry numbers, which are given to those really sent only.
  [[nodiscard]] bool numbers_packets() const noexcept { return number_at_ != 0; }

 private:
  static constexpr std::size_t kHeadSize = 4;  // of the extension: profile and length

  struct Forwarded {
    ExtensionKind kind = ExtensionKind::audio_level;
    std::uint8_t id = 0;
    std::uint8_t size = 0;
    std::uint8_t long_size = 0;  // or this one
  };
  [[nodiscard]] std::size_t element_head_size() const noexcept { return two_byte_ ? 2 : 1; }
  std::uint8_t* put_element_head(std::uint8_t* at, std::uint8_t id,
                                 std::size_t size) const noexcept;
  /// Answers where the element's data lies in `own_`; 0 when `id` is.
  std::uint8_t put_own(std::uint8_t id, std::size_t size) noexcept;
  void forward(ExtensionKind kind, std::uint8_t id, std::uint8_t size,
               std::uint8_t long_size) noexcept;

  bool two_byte_;
  // The extension's head and the elements of the receiver's own, as they begin each packet's.
  std::array<std::uint8_t, kHeadSize + 2 + kMaxMidSize + 5 + 4> own_{};
  std::uint8_t own_size_ = kHeadSize;
  std::uint8_t send_time_at_ = 0;  // in `own_`; 0: not agreed
  std::uint8_t number_at_ = 0;
  std::array<Forwarded, 4> forwarded_{};
  std::uint8_t forwarded_count_ = 0;
};

}  // namespace runnel::rtp
