#include "tests/simulation/viewer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/serial_number.h"
#include "core/relay/media_clock.h"
#include "core/rtp/packet_classifier.h"

namespace runnel::simulation {

Viewer::Viewer(World& world, ViewerOptions viewer_options, const srtp::MasterKey* key,
               const srtp::MasterKey* reply_key)
    : options(viewer_options), world_(world) {
  if (key != nullptr) {
    receiver_.emplace(*key);
    sender_.emplace(reply_key != nullptr ? *reply_key : *key);
  }
  if (options.channel) {
    world_.attach(*options.channel, [this](const relay::OutgoingMessage& message) {
      EXPECT_EQ(message.is_rtcp, rtp::classify(message.bytes) == rtp::PacketClass::rtcp);
      take(message.bytes);
    });
    return;
  }
  const auto inbox = [this](const SocketAddress&, ByteView bytes) { take(bytes); };
  world_.attach(options.rtp, inbox);
  world_.attach(options.rtcp, inbox);
}

void Viewer::take(ByteView bytes) {
  const bool is_rtcp = rtp::classify(bytes) == rtp::PacketClass::rtcp;
  Bytes packet(bytes.begin(), bytes.end());
  if (receiver_) {
    const auto kind = is_rtcp ? srtp::PacketKind::rtcp : srtp::PacketKind::rtp;
    const auto size = receiver_->unprotect_in_place(kind, packet);
    if (!size) {
      ++refused;
      return;
    }
    packet.resize(*size);
  }
  if (is_rtcp) {
    take_control(packet);
  } else {
    take_media(packet);
  }
}

void Viewer::take_media(ByteView clear) {
  const auto packet = rtp::RtpPacketView::parse(clear);
  std::optional<Content> content;
  if (packet) content = options.knows_content ? read_content(packet->payload()) : Content{};
  if (!content) {
    ++corrupted;
    return;
  }
  const ByteView header = packet->header();
  packets.push_back({.arrival = world_.now,
                     .ssrc = packet->ssrc(),
                     .position = unwrappers_[packet->ssrc()].unwrap(packet->sequence_number()),
                     .sequence_number = packet->sequence_number(),
                     .timestamp = packet->timestamp().value,
                     .payload_type = packet->payload_type(),
                     .marker = packet->marker(),
                     .content = *content,
                     .header = Bytes(header.begin(), header.end()),
                     .padding = packet->padding_size()});
}

void Viewer::take_control(ByteView clear) {
  ASSERT_TRUE(rtp::check_rtcp(clear));
  rtp::RtcpReader reader(clear);
  bool first = true;
  while (const auto part = reader.next()) {
    const auto type = static_cast<rtp::RtcpType>(part->type);
    const bool is_report =
        type == rtp::RtcpType::sender_report || type == rtp::RtcpType::receiver_report;
    EXPECT_EQ(is_report, first) << "a compound begins with a report (RFC 3550 section 6.1)";
    first = false;
    if (type == rtp::RtcpType::sender_report) {
      sender_reports.push_back(*rtp::parse_sender_report(*part));
      sender_report_arrivals.push_back(world_.now);
    } else if (type == rtp::RtcpType::goodbye) {
      goodbyes.push_back(rtp::goodbye_ssrc(*part, 0));
    } else if (type == rtp::RtcpType::source_description) {
      const ByteView name = rtp::source_description_cname(*part, load_be32(part->body.data()));
      cname.assign(name.begin(), name.end());
    }
  }
}

void Viewer::ask_by_picture_loss_indication(std::uint32_t media_ssrc) {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  writer.picture_loss_indication(options.ssrc, media_ssrc);
  send_control(writer, buffer);
}

void Viewer::ask_by_full_intra_request() {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  writer.full_intra_request(options.ssrc, media_ssrc(), 1);
  send_control(writer, buffer);
}

void Viewer::send_nack(std::span<const std::uint16_t> lost) {
  std::array<rtp::NackEntry, 16> entries;
  const std::size_t count = rtp::build_nack(lost, entries);
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  writer.nack(options.ssrc, media_ssrc(), std::span(entries).first(count));
  send_control(writer, buffer);
}

void Viewer::send_report(std::uint8_t fraction_lost, std::uint32_t jitter) {
  rtp::ReportBlock block{.ssrc = media_ssrc(), .fraction_lost = fraction_lost, .jitter = jitter};
  if (!sender_reports.empty()) {
    block.last_sender_report = sender_reports.back().ntp.middle();
    block.delay_since_last_report = relay::ticks(world_.now - sender_report_arrivals.back(), 65536);
  }
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {&block, 1});
  send_control(writer, buffer);
}

void Viewer::send_goodbye() {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  writer.goodbye(options.ssrc);
  send_control(writer, buffer);
}

void Viewer::say_hello() {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  send_control(writer, buffer);
}

void Viewer::send_control(rtp::RtcpWriter& writer, ByteSpan buffer) {
  std::size_t size = writer.written().size();
  if (sender_) {
    const auto protected_size = sender_->protect_in_place(srtp::PacketKind::rtcp, buffer, size);
    ASSERT_TRUE(protected_size);
    size = *protected_size;
  }
  const auto packet = buffer.first(size);
  world_.send(options.rtcp, options.rtcp_port, Bytes(packet.begin(), packet.end()));
}

std::set<std::uint32_t> Viewer::ssrcs() const {
  std::set<std::uint32_t> found;
  for (const ReceivedPacket& packet : packets) found.insert(packet.ssrc);
  return found;
}

std::set<std::uint32_t> Viewer::numbers() const {
  std::set<std::uint32_t> found;
  for (const ReceivedPacket& packet : packets) found.insert(packet.content.number);
  return found;
}

namespace {

/// The packets of each SSRC in the order of their sequence numbers.
std::map<std::uint32_t, std::vector<ReceivedPacket>> in_order(const Viewer& viewer) {
  std::map<std::uint32_t, std::vector<ReceivedPacket>> streams;
  for (const ReceivedPacket& packet : viewer.packets) streams[packet.ssrc].push_back(packet);
  for (auto& [ssrc, packets] : streams) {
    std::ranges::sort(packets, {}, &ReceivedPacket::position);
  }
  return streams;
}

void expect_orderly(const ReceivedPacket& before, const ReceivedPacket& after) {
  ASSERT_LT(before.position, after.position) << "a sequence number was used twice";
  ASSERT_LT(before.content.number, after.content.number) << "packets have changed places";
  if (before.content.frame == after.content.frame) {
    ASSERT_EQ(before.timestamp, after.timestamp) << "one frame, two timestamps";
  } else {
    ASSERT_TRUE(serial_after(after.timestamp, before.timestamp))
        << "time stands still or runs back";
  }
}

}  // namespace

void expect_flawless(const Viewer& viewer) {
  EXPECT_EQ(viewer.refused, 0U);
  EXPECT_EQ(viewer.corrupted, 0U);
  for (const auto& [ssrc, packets] : in_order(viewer)) {
    for (std::size_t i = 1; i < packets.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_orderly(packets[i - 1], packets[i])) << "packet " << i;
    }
  }
}

void expect_gaps_of_the_source(const Viewer& viewer) {
  for (const auto& [ssrc, packets] : in_order(viewer)) {
    for (std::size_t i = 1; i < packets.size(); ++i) {
      ASSERT_EQ(packets[i].position - packets[i - 1].position,
                packets[i].content.number - packets[i - 1].content.number)
          << "packet " << i;
    }
  }
}

}  // namespace runnel::simulation
