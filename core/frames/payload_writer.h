// Takes one encoded frame apart into RTP payloads.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "core/base/bytes.h"
#include "core/frames/av1_obu.h"
#include "core/frames/format.h"
#include "core/frames/nal_unit.h"

namespace runnel::frames {

enum class PacketizerError : std::uint8_t {
  empty_frame,      // no bytes, or none that are sent (an AV1 temporal delimiter alone)
  malformed_frame,  // not what frame.h says of the format: no start code, an OBU past the end
  too_long,         // an audio frame that does not fit into one packet
};
[[nodiscard]] std::string_view to_string(PacketizerError error) noexcept;

/// The cursor of a FramePacketizer. Payloads of a frame are pulled one by one; nothing is
/// allocated.
class PayloadWriter {
 public:
  PayloadWriter(Format format, std::uint16_t first_picture_id) noexcept;

  /// Checks the frame and stands at its beginning. `max_size` is the longest payload.
  [[nodiscard]] std::expected<void, PacketizerError> begin(ByteView frame, bool key_frame,
                                                           std::size_t max_size) noexcept;
  [[nodiscard]] bool done() const noexcept { return done_; }
  /// Writes the next payload and answers its size; not to be called when done. `out` has room for
  /// the max_size of begin().
  [[nodiscard]] std::size_t write(ByteSpan out) noexcept;

 private:
  [[nodiscard]] std::size_t write_vp8(ByteSpan out) noexcept;
  [[nodiscard]] std::size_t write_vp9(ByteSpan out) noexcept;
  [[nodiscard]] std::size_t write_nal_units(ByteSpan out) noexcept;
  [[nodiscard]] std::size_t write_fragment(ByteSpan out) noexcept;
  [[nodiscard]] std::size_t write_aggregate(ByteSpan out, std::size_t count) noexcept;
  [[nodiscard]] std::size_t count_to_aggregate() const noexcept;
  [[nodiscard]] std::size_t write_obus(ByteSpan out) noexcept;
  [[nodiscard]] std::size_t write_rest(ByteSpan out) noexcept;
  void next_nal_unit() noexcept;
  void next_obu() noexcept;

  Format format_;
  std::uint16_t next_picture_id_;
  std::uint16_t picture_id_ = 0;
  bool done_ = true;
  bool first_ = true;
  bool key_frame_ = false;
  std::size_t max_size_ = 0;
  ByteView rest_;           // of a frame without inner units
  AnnexBReader nal_units_;  // behind nal_unit_
  ByteView nal_unit_;
  std::size_t offset_ = 0;  // into nal_unit_ or obu_: what is sent already
  ObuReader obus_;          // behind obu_
  Obu obu_;
};

}  // namespace runnel::frames
