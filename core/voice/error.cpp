#include "core/voice/error.h"

#include <algorithm>

namespace runnel::voice {
namespace {

constexpr char to_upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_message:
      return "bad_message";
    case ErrorCode::out_of_turn:
      return "out_of_turn";
    case ErrorCode::unsupported_media:
      return "unsupported_media";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::limit_reached:
      return "limit_reached";
  }
  return "";
}

std::uint16_t close_code(ErrorCode code) noexcept {
  constexpr std::uint16_t kUnsupportedData = 1003;
  constexpr std::uint16_t kPolicyViolation = 1008;
  constexpr std::uint16_t kMessageTooBig = 1009;
  if (code == ErrorCode::unsupported_media) return kUnsupportedData;
  return code == ErrorCode::too_large ? kMessageTooBig : kPolicyViolation;
}

std::expected<void, Error> check_codec(const rtp::Codec& codec) {
  const bool is_pcmu = std::ranges::equal(codec.name, std::string_view("PCMU"), {}, to_upper);
  if (is_pcmu && codec.clock_rate == 8000 && codec.channels <= 1) return {};
  return std::unexpected(
      Error{ErrorCode::unsupported_media,
            "the stream's audio is " + codec.rtpmap() +
                "; voice connections carry PCMU/8000 alone, as nothing is transcoded"});
}

}  // namespace runnel::voice
