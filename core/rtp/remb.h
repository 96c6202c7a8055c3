// REMB: the bitrate that a receiver wants to be sent to it (draft-alvestrand-rmcat-remb-03).
#pragma once

#include <cstdint>
#include <expected>

#include "core/base/bytes.h"
#include "core/rtp/error.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::rtp {

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                     SSRC of packet sender                     |
//  |                 SSRC of media source: unused, 0               |
//  |  'R'            'E'             'M'             'B'           |
//  |  number SSRC  | exponent  |  mantissa                         |
//  |  SSRC feedback ...                                            |

inline constexpr std::size_t kMaxRembSources = 255;
inline constexpr std::uint32_t kRembIdentifier = 0x52454d42;  // "REMB"
inline constexpr int kRembMantissaBits = 18;

/// A checked look at one REMB. Borrows. RtcpWriter::receiver_estimated_maximum_bitrate writes one.
class RembView {
 public:
  /// Errors: bad_type for another packet (feedback of the application layer may be anything);
  /// bad_length when it holds fewer SSRCs than it says.
  [[nodiscard]] static std::expected<RembView, Error> parse(const RtcpPacketView& packet) noexcept;

  [[nodiscard]] std::uint32_t sender_ssrc() const noexcept { return load_be32(body_.data()); }
  /// Bits per second; the highest that fits when it is more.
  [[nodiscard]] std::uint64_t bitrate() const noexcept;
  [[nodiscard]] std::size_t ssrc_count() const noexcept { return body_[12]; }
  /// `index` less than ssrc_count().
  [[nodiscard]] std::uint32_t ssrc(std::size_t index) const noexcept {
    return load_be32(body_.data() + 16 + 4 * index);
  }

 private:
  explicit RembView(ByteView body) noexcept : body_(body) {}

  ByteView body_;
};

}  // namespace runnel::rtp
