#include "core/frames/sequence_parameters.h"

#include <algorithm>
#include <array>

#include "core/frames/bit_reader.h"

namespace runnel::frames {
namespace {

constexpr std::uint32_t kMaxSide = 65535;
constexpr std::uint32_t kChroma420 = 1;
constexpr std::uint32_t kChroma422 = 2;
constexpr std::uint32_t kChroma444 = 3;

struct Cropping {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t top = 0;
  std::uint32_t bottom = 0;
};

Cropping read_cropping(BitReader& reader) noexcept {
  Cropping cropping;
  if (!reader.bit()) return cropping;
  cropping.left = reader.unsigned_code();
  cropping.right = reader.unsigned_code();
  cropping.top = reader.unsigned_code();
  cropping.bottom = reader.unsigned_code();
  return cropping;
}

/// Luma samples in one step of cropping.
std::uint32_t horizontal_unit(std::uint32_t chroma) noexcept {
  return chroma == kChroma420 || chroma == kChroma422 ? 2 : 1;
}
std::uint32_t vertical_unit(std::uint32_t chroma) noexcept {
  return chroma == kChroma420 ? 2 : 1;
}

/// What is left of a side; nullopt when nothing is, or it is longer than any picture.
std::optional<std::uint32_t> cropped(std::uint64_t side, std::uint64_t before, std::uint64_t after,
                                     std::uint64_t unit) noexcept {
  const std::uint64_t cut = (before + after) * unit;
  if (cut >= side || side - cut > kMaxSide) return std::nullopt;
  return static_cast<std::uint32_t>(side - cut);
}

bool has_chroma_format(std::uint32_t profile) noexcept {
  constexpr std::array<std::uint32_t, 13> kProfiles = {100, 110, 122, 244, 44,  83, 86,
                                                       118, 128, 138, 139, 134, 135};
  return std::ranges::find(kProfiles, profile) != kProfiles.end();
}

void skip_scaling_list(BitReader& reader, int size) noexcept {
  int last = 8;
  int next = 8;
  for (int i = 0; i < size && next != 0; ++i) {
    next = (last + reader.signed_code() % 256 + 512) % 256;
    if (next != 0) last = next;
  }
}

/// From chroma_format_idc to the scaling lists; answers the chroma format that counts for cropping.
std::uint32_t read_chroma_format(BitReader& reader) noexcept {
  const std::uint32_t chroma = reader.unsigned_code();
  const bool separate_planes = chroma == kChroma444 && reader.bit();
  reader.unsigned_code();  // bit_depth_luma_minus8
  reader.unsigned_code();
  reader.bit();  // qpprime_y_zero_transform_bypass_flag
  if (reader.bit()) {
    const int lists = chroma == kChroma444 ? 12 : 8;
    for (int i = 0; i < lists; ++i) {
      if (reader.bit()) skip_scaling_list(reader, i < 6 ? 16 : 64);
    }
  }
  return separate_planes ? 0 : chroma;
}

void skip_picture_order_count(BitReader& reader) noexcept {
  const std::uint32_t type = reader.unsigned_code();
  if (type == 0) reader.unsigned_code();
  if (type != 1) return;
  reader.bit();
  reader.signed_code();
  reader.signed_code();
  const std::uint32_t count = std::min(reader.unsigned_code(), 255U);
  for (std::uint32_t i = 0; i < count; ++i) reader.signed_code();
}

void skip_profile_tier_level(BitReader& reader, unsigned sub_layers) noexcept {
  constexpr unsigned kProfileBits = 88;
  constexpr unsigned kLevelBits = 8;
  reader.skip(kProfileBits + kLevelBits);
  std::array<std::uint32_t, 8> present{};  // profile, level
  for (unsigned i = 0; i < sub_layers; ++i) present[i] = reader.bits(2);
  if (sub_layers != 0) reader.skip(2 * (8 - sub_layers));
  for (unsigned i = 0; i < sub_layers; ++i) {
    if ((present[i] & 2) != 0) reader.skip(kProfileBits);
    if ((present[i] & 1) != 0) reader.skip(kLevelBits);
  }
}

std::optional<PictureSize> make_size(const BitReader& reader, std::optional<std::uint32_t> width,
                                     std::optional<std::uint32_t> height) noexcept {
  if (reader.failed() || !width || !height) return std::nullopt;
  return PictureSize{*width, *height};
}

}  // namespace

std::optional<PictureSize> h264_picture_size(ByteView body) noexcept {
  constexpr std::uint64_t kMacroblock = 16;
  BitReader reader(body, BitReader::Escape::emulation_prevention);
  const std::uint32_t profile = reader.bits(8);
  reader.skip(16);         // constraints, level
  reader.unsigned_code();  // seq_parameter_set_id
  const std::uint32_t chroma = has_chroma_format(profile) ? read_chroma_format(reader) : kChroma420;
  reader.unsigned_code();  // log2_max_frame_num_minus4
  skip_picture_order_count(reader);
  reader.unsigned_code();  // max_num_ref_frames
  reader.bit();            // gaps_in_frame_num_value_allowed_flag
  const std::uint64_t width = (std::uint64_t{reader.unsigned_code()} + 1) * kMacroblock;
  const std::uint64_t map_units = std::uint64_t{reader.unsigned_code()} + 1;
  const bool frames_only = reader.bit();
  if (!frames_only) reader.bit();  // mb_adaptive_frame_field_flag
  reader.bit();                    // direct_8x8_inference_flag
  const std::uint64_t fields = frames_only ? 1 : 2;
  const Cropping crop = read_cropping(reader);
  return make_size(reader, cropped(width, crop.left, crop.right, horizontal_unit(chroma)),
                   cropped(map_units * kMacroblock * fields, crop.top, crop.bottom,
                           vertical_unit(chroma) * fields));
}

std::optional<PictureSize> h265_picture_size(ByteView body) noexcept {
  BitReader reader(body, BitReader::Escape::emulation_prevention);
  reader.skip(4);  // sps_video_parameter_set_id
  const std::uint32_t sub_layers = reader.bits(3);
  reader.bit();  // sps_temporal_id_nesting_flag
  skip_profile_tier_level(reader, sub_layers);
  reader.unsigned_code();  // sps_seq_parameter_set_id
  std::uint32_t chroma = reader.unsigned_code();
  if (chroma == kChroma444 && reader.bit()) chroma = 0;  // separate_colour_plane_flag
  const std::uint32_t width = reader.unsigned_code();
  const std::uint32_t height = reader.unsigned_code();
  const Cropping crop = read_cropping(reader);
  return make_size(reader, cropped(width, crop.left, crop.right, horizontal_unit(chroma)),
                   cropped(height, crop.top, crop.bottom, vertical_unit(chroma)));
}

}  // namespace runnel::frames
