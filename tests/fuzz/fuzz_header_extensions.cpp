// Header extensions: whatever a source sends under whatever agreement, each receiver gets a header
// that holds together, within its bound, and with nothing in it that was not agreed on.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/rtp/extension_rewriter.h"
#include "core/rtp/header_extension.h"
#include "core/rtp/retransmission.h"

namespace {

using namespace runnel;

/// As many ids as there are kinds, from as many bytes.
rtp::ExtensionIds take_ids(ByteView bytes) {
  rtp::ExtensionIds ids;
  for (std::size_t i = 0; i < rtp::kExtensionKindCount; ++i) {
    // An id stands for one kind only.
    if (!ids.kind_of(bytes[i])) ids.set(static_cast<rtp::ExtensionKind>(i), bytes[i]);
  }
  return ids;
}

void check_header(ByteView header, const rtp::ExtensionIds& agreed) {
  RUNNEL_CHECK(rtp::header_size(header) == header.size());
  std::vector<std::uint8_t> unpadded(header.begin(), header.end());
  unpadded[0] = static_cast<std::uint8_t>(unpadded[0] & ~0x20);  // there is no payload here
  const auto packet = rtp::RtpPacketView::parse(unpadded);
  if (!packet) return;  // the payload type makes it RTCP
  rtp::ExtensionReader reader(packet->extension_profile(), packet->extension_data());
  while (const auto element = reader.next()) {
    const auto kind = agreed.kind_of(element->id);
    RUNNEL_CHECK(kind && *kind != rtp::ExtensionKind::rid);
    RUNNEL_CHECK(*kind != rtp::ExtensionKind::repaired_rid);
    RUNNEL_CHECK(!element->data.empty() && element->data.size() <= 16);
  }
  RUNNEL_CHECK(!reader.malformed());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kIds = rtp::kExtensionKindCount;
  if (size < 2 * kIds + 1) return 0;
  const ByteView input(data, size);
  const rtp::ExtensionIds from = take_ids(input), to = take_ids(input.subspan(kIds));
  const std::string_view mid("0123456789abcdef", input[2 * kIds] % 17);
  // A copy of its own, so that a read behind the packet is a read behind an allocation.
  std::vector<std::uint8_t> bytes(input.begin() + 2 * kIds + 1, input.end());
  const auto packet = rtp::RtpPacketView::parse(bytes);
  if (!packet) return 0;

  const auto extensions = rtp::ParsedExtensions::parse(*packet, from);
  std::array<std::uint8_t, rtp::ExtensionRewriter::kMaxHeaderSize> out;
  const std::size_t written = rtp::ExtensionRewriter(to, mid).write(
      bytes, extensions, {.payload_type = 96, .sequence_number = 1, .ssrc = 2}, {}, out);
  RUNNEL_CHECK(written <= out.size());
  check_header(ByteView(out).first(written), to);

  const std::size_t header_size = packet->header().size();
  const auto retransmission = rtp::parse_retransmission(*packet);
  if (!retransmission) return 0;
  const std::vector<std::uint8_t> payload(retransmission->payload.begin(),
                                          retransmission->payload.end());
  const std::uint16_t number = retransmission->original_sequence_number;
  const ByteSpan original = rtp::unwrap_retransmission(bytes, header_size, 7, 96);
  const auto view = rtp::RtpPacketView::parse(original);
  RUNNEL_CHECK(view && view->sequence_number() == number && view->ssrc() == 7);
  RUNNEL_CHECK(
      std::equal(payload.begin(), payload.end(), view->payload().begin(), view->payload().end()));
  return 0;
}
