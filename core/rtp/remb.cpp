#include "core/rtp/remb.h"

#include <bit>
#include <limits>

namespace runnel::rtp {
namespace {

constexpr std::size_t kFixedSize = 16;

}  // namespace

std::expected<RembView, Error> RembView::parse(const RtcpPacketView& packet) noexcept {
  const ByteView body = packet.body;
  if (!packet.is(RtcpType::payload_feedback) || packet.count != kPayloadFeedbackApplication ||
      body.size() < kFixedSize || load_be32(body.data() + 8) != kRembIdentifier) {
    return std::unexpected(Error::bad_type);
  }
  if (body.size() < kFixedSize + 4 * std::size_t{body[12]}) {
    return std::unexpected(Error::bad_length);
  }
  return RembView(body);
}

std::uint64_t RembView::bitrate() const noexcept {
  const std::uint32_t coded = load_be24(body_.data() + 13);
  const auto exponent = static_cast<int>(coded >> kRembMantissaBits);
  const std::uint64_t mantissa = coded & ((1U << kRembMantissaBits) - 1);
  const int width = static_cast<int>(std::bit_width(mantissa)) + exponent;
  if (width > std::numeric_limits<std::uint64_t>::digits) {
    return mantissa == 0 ? 0 : std::numeric_limits<std::uint64_t>::max();
  }
  return mantissa << exponent;
}

}  // namespace runnel::rtp
