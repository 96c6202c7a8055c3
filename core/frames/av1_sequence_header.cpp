#include "core/frames/av1_sequence_header.h"

#include "core/frames/bit_reader.h"

namespace runnel::frames {
namespace {

/// uvlc() (§4.10.3): as Exp-Golomb, but 32 zeros or more are a value too.
void skip_variable_length_code(BitReader& reader) noexcept {
  unsigned zeros = 0;
  while (!reader.bit()) {
    if (reader.failed()) return;
    ++zeros;
  }
  if (zeros < 32) reader.skip(zeros);
}

/// timing_info() and decoder_model_info(); answers the width of the decoder's buffer delays in
/// bits, 0 when there is no decoder model.
unsigned read_timing(BitReader& reader) noexcept {
  if (!reader.bit()) return 0;  // timing_info_present_flag
  reader.skip(64);              // num_units_in_display_tick, time_scale
  if (reader.bit()) skip_variable_length_code(reader);
  if (!reader.bit()) return 0;  // decoder_model_info_present_flag
  const unsigned delay_bits = reader.bits(5) + 1;
  reader.skip(32 + 5 + 5);
  return delay_bits;
}

void skip_operating_points(BitReader& reader, unsigned delay_bits) noexcept {
  constexpr std::uint32_t kLastLevelWithoutTier = 7;
  const bool has_display_delay = reader.bit();
  const unsigned count = reader.bits(5) + 1;
  for (unsigned i = 0; i < count; ++i) {
    reader.skip(12);  // operating_point_idc
    if (reader.bits(5) > kLastLevelWithoutTier) reader.bit();
    if (delay_bits != 0 && reader.bit()) reader.skip(2 * delay_bits + 1);
    if (has_display_delay && reader.bit()) reader.skip(4);
  }
}

}  // namespace

std::optional<PictureSize> av1_picture_size(ByteView body) noexcept {
  BitReader reader(body);
  reader.skip(3 + 1);  // seq_profile, still_picture
  if (reader.bit()) {  // reduced_still_picture_header
    reader.skip(5);
  } else {
    const unsigned delay_bits = read_timing(reader);
    skip_operating_points(reader, delay_bits);
  }
  const unsigned width_bits = reader.bits(4) + 1;
  const unsigned height_bits = reader.bits(4) + 1;
  const std::uint32_t width = reader.bits(width_bits) + 1;
  const std::uint32_t height = reader.bits(height_bits) + 1;
  if (reader.failed()) return std::nullopt;
  return PictureSize{width, height};
}

}  // namespace runnel::frames
