// The payloads of one frame, in order, appended to one another as a decoder wants them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/bytes.h"
#include "core/frames/format.h"

namespace runnel::frames {

/// begin(), then append() for each payload, then finish(). The bytes are appended to a buffer of
/// the caller's; see frame.h for what they are.
class Depacketizer {
 public:
  explicit Depacketizer(Format format) noexcept : format_(format) {}

  void begin() noexcept;
  /// False when the payload is malformed or does not follow from the one before; the frame is lost.
  [[nodiscard]] bool append(ByteView payload, std::vector<std::uint8_t>& frame);
  /// False when a unit that was begun has not ended, or there is none; the frame is lost.
  [[nodiscard]] bool finish(const std::vector<std::uint8_t>& frame) const noexcept;

 private:
  [[nodiscard]] bool append_nal_units(ByteView payload, std::vector<std::uint8_t>& frame);
  [[nodiscard]] bool append_fragment(ByteView payload, std::vector<std::uint8_t>& frame);
  [[nodiscard]] bool append_obus(ByteView payload, std::vector<std::uint8_t>& frame);
  [[nodiscard]] bool close_obu(std::vector<std::uint8_t>& frame);

  Format format_;
  bool empty_ = true;           // nothing of the frame has come
  bool unit_open_ = false;      // a fragmented NAL unit or OBU has begun
  std::uint8_t unit_type_ = 0;  // of the NAL unit that is open
  std::size_t unit_start_ = 0;  // where in the frame the open OBU begins
};

}  // namespace runnel::frames
