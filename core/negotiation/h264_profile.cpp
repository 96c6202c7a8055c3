#include "core/negotiation/h264_profile.h"

#include <charconv>
#include <system_error>

namespace runnel::negotiation {
namespace {

constexpr unsigned kConstraintSet0 = 0x80;
constexpr unsigned kConstraintSet1 = 0x40;
constexpr unsigned kConstraintSets4And5 = 0x0c;

/// Decoders of a later family take the earlier ones too.
constexpr int family(H264Profile profile) noexcept {
  switch (profile) {
    case H264Profile::constrained_baseline:
    case H264Profile::baseline:
      return 0;
    case H264Profile::main:
      return 1;
    case H264Profile::constrained_high:
    case H264Profile::high:
      return 2;
    case H264Profile::high_444_predictive:
      return 3;
  }
  return 0;
}

}  // namespace

// ITU-T H.264 Annex A.2: a stream of one profile that sets the constraint flag of another obeys
// both.
std::optional<H264Profile> h264_profile(std::string_view profile_level_id) noexcept {
  if (profile_level_id.size() != 6) return std::nullopt;
  unsigned value = 0;
  const char* end = profile_level_id.data() + profile_level_id.size();
  const auto [stop, error] = std::from_chars(profile_level_id.data(), end, value, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;

  const unsigned constraints = (value >> 8) & 0xff;
  const bool is_baseline_too = (constraints & kConstraintSet0) != 0;
  const bool is_main_too = (constraints & kConstraintSet1) != 0;
  switch (value >> 16) {
    case 66:
      return is_main_too ? H264Profile::constrained_baseline : H264Profile::baseline;
    case 77:
      return is_baseline_too ? H264Profile::constrained_baseline : H264Profile::main;
    case 88:
      if (!is_baseline_too) return std::nullopt;  // extended
      return is_main_too ? H264Profile::constrained_baseline : H264Profile::baseline;
    case 100:
      return (constraints & kConstraintSets4And5) == kConstraintSets4And5
                 ? H264Profile::constrained_high
                 : H264Profile::high;
    case 244:
      return H264Profile::high_444_predictive;
    default:
      return std::nullopt;
  }
}

int suitability(H264Profile sent, H264Profile received) noexcept {
  if (sent == received) return 3;
  if (family(sent) == family(received)) return 2;
  return family(sent) < family(received) ? 1 : 0;
}

}  // namespace runnel::negotiation
