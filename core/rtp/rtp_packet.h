// An RTP packet (RFC 3550 §5.1): looking at one, changing its header fields, writing a new header.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/error.h"

namespace runnel::rtp {

inline constexpr std::size_t kFixedHeaderSize = 12;
inline constexpr std::size_t kMaxContributingSources = 15;

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |V=2|P|X|  CC   |M|     PT      |       sequence number         |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                           timestamp                           |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                             SSRC                              |
//  +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
//  |            contributing sources (CSRC), 0 to 15               |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |  extension profile (X=1)      |  length in 32-bit words       |
//  |                    extension data ...                         |

/// Size of the whole header, CSRCs and extension included; checks version and that the bytes are
/// there. All that SRTP needs to know of a packet: the padding, being encrypted, is not looked at.
[[nodiscard]] std::expected<std::size_t, Error> header_size(ByteView packet) noexcept;

/// A checked look at a whole clear RTP packet. Borrows.
class RtpPacketView {
 public:
  [[nodiscard]] static std::expected<RtpPacketView, Error> parse(ByteView packet) noexcept;

  [[nodiscard]] bool marker() const noexcept { return (bytes_[1] & 0x80) != 0; }
  [[nodiscard]] std::uint8_t payload_type() const noexcept { return bytes_[1] & 0x7f; }
  [[nodiscard]] std::uint16_t sequence_number() const noexcept {
    return load_be16(bytes_.data() + 2);
  }
  [[nodiscard]] RtpTime timestamp() const noexcept { return {load_be32(bytes_.data() + 4)}; }
  [[nodiscard]] std::uint32_t ssrc() const noexcept { return load_be32(bytes_.data() + 8); }
  [[nodiscard]] std::size_t contributing_source_count() const noexcept { return bytes_[0] & 0x0f; }
  [[nodiscard]] std::uint32_t contributing_source(std::size_t index) const noexcept {
    return load_be32(bytes_.data() + kFixedHeaderSize + 4 * index);
  }
  [[nodiscard]] bool has_extension() const noexcept { return (bytes_[0] & 0x10) != 0; }
  /// The 16 bits before the extension's length: 0xBEDE for one-byte elements, 0x100x for two-byte
  /// ones. 0 without extension.
  [[nodiscard]] std::uint16_t extension_profile() const noexcept;
  [[nodiscard]] ByteView extension_data() const noexcept;
  [[nodiscard]] ByteView header() const noexcept { return bytes_.first(header_size_); }
  /// Without padding; empty in a packet of padding only.
  [[nodiscard]] ByteView payload() const noexcept {
    return bytes_.subspan(header_size_, bytes_.size() - header_size_ - padding_size_);
  }
  /// Including its count byte; 0 when there is none.
  [[nodiscard]] std::size_t padding_size() const noexcept { return padding_size_; }
  [[nodiscard]] ByteView bytes() const noexcept { return bytes_; }

 private:
  RtpPacketView(ByteView bytes, std::size_t header_size, std::size_t padding_size) noexcept
      : bytes_(bytes), header_size_(header_size), padding_size_(padding_size) {}

  ByteView bytes_;
  std::size_t header_size_;
  std::size_t padding_size_;
};

/// Overwrites fields of a header that is already there (at least kFixedHeaderSize bytes).
inline void set_payload_type(ByteSpan header, std::uint8_t payload_type) noexcept {
  header[1] = static_cast<std::uint8_t>((header[1] & 0x80) | (payload_type & 0x7f));
}
inline void set_sequence_number(ByteSpan header, std::uint16_t value) noexcept {
  store_be16(header.data() + 2, value);
}
inline void set_timestamp(ByteSpan header, RtpTime value) noexcept {
  store_be32(header.data() + 4, value.value);
}
inline void set_ssrc(ByteSpan header, std::uint32_t value) noexcept {
  store_be32(header.data() + 8, value);
}

/// A header to be written from nothing.
struct RtpHeader {
  bool marker = false;
  bool padding = false;
  std::uint8_t payload_type = 0;
  std::uint16_t sequence_number = 0;
  RtpTime timestamp;
  std::uint32_t ssrc = 0;
  std::span<const std::uint32_t> contributing_sources;  // at most 15
  /// Extension block, already laid out and a multiple of four bytes long; absent when
  /// `extension_profile` is nullopt.
  std::optional<std::uint16_t> extension_profile;
  ByteView extension_data;
};

/// Writes the header and answers its size, or 0 when it does not fit into `out`.
[[nodiscard]] std::size_t write_header(const RtpHeader& header, ByteSpan out) noexcept;

}  // namespace runnel::rtp
