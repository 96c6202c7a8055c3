// RTP: whatever arrives, every accessor of an accepted packet stays within its bytes, the parts add
// up to the whole, and a header written from what was read is the header that was read.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/rtp/header_extension.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtp_packet.h"

namespace {

using namespace runnel;

bool equal(ByteView a, ByteView b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void walk_extension(const rtp::RtpPacketView& packet) {
  const ByteView data = packet.extension_data();
  rtp::ExtensionReader reader(packet.extension_profile(), data);
  std::size_t total = 0;
  while (const auto element = reader.next()) {
    RUNNEL_CHECK(element->id != 0);
    total += 1 + element->data.size();
    RUNNEL_CHECK(total <= data.size());
  }
  RUNNEL_CHECK(!reader.next());
}

void write_again(const rtp::RtpPacketView& packet) {
  std::array<std::uint32_t, rtp::kMaxContributingSources> sources;
  const std::size_t source_count = packet.contributing_source_count();
  for (std::size_t i = 0; i < source_count; ++i) sources[i] = packet.contributing_source(i);
  rtp::RtpHeader header{.marker = packet.marker(),
                        .padding = packet.padding_size() != 0,
                        .payload_type = packet.payload_type(),
                        .sequence_number = packet.sequence_number(),
                        .timestamp = packet.timestamp(),
                        .ssrc = packet.ssrc(),
                        .contributing_sources = std::span(sources).first(source_count),
                        .extension_profile = std::nullopt,
                        .extension_data = packet.extension_data()};
  if (packet.has_extension()) header.extension_profile = packet.extension_profile();
  std::vector<std::uint8_t> out(packet.header().size());
  RUNNEL_CHECK(rtp::write_header(header, out) == out.size());
  RUNNEL_CHECK(equal(out, packet.header()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView datagram(data, size);
  const rtp::PacketClass kind = rtp::classify(datagram);
  const auto header_size = rtp::header_size(datagram);
  const auto packet = rtp::RtpPacketView::parse(datagram);
  if (!packet) return 0;

  RUNNEL_CHECK(kind == rtp::PacketClass::rtp);
  RUNNEL_CHECK(header_size && *header_size == packet->header().size());
  RUNNEL_CHECK(packet->header().size() + packet->payload().size() + packet->padding_size() == size);
  walk_extension(*packet);
  write_again(*packet);
  return 0;
}
