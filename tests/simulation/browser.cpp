#include "tests/simulation/browser.h"

#include <algorithm>
#include <array>

#include "core/base/byte_writer.h"
#include "core/frames/vp8_rewriter.h"
#include "core/rtp/header_extension.h"
#include "core/rtp/retransmission.h"
#include "core/rtp/rtcp_writer.h"
#include "tests/peer/peer_world.h"

namespace runnel::simulation {
namespace {

using rtp::ExtensionKind;

constexpr std::uint8_t kPayloadType = 96;
constexpr std::uint8_t kRetransmissionType = 97;
constexpr std::uint8_t kMid = 1;
constexpr std::uint8_t kRid = 2;
constexpr std::uint8_t kRepairedRid = 3;
constexpr std::uint8_t kTransportWide = 4;
constexpr std::uint32_t kOwnSsrc = 0x5000'0001;

ByteView bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A VP8 payload with a picture id of 15 bits, and the frame header where it begins (RFC 7741 §4).
Bytes vp8_payload(const SentEncoding& encoding, bool first, bool key, std::size_t size) {
  Bytes payload{static_cast<std::uint8_t>(first ? 0x90 : 0x80), 0x80,
                static_cast<std::uint8_t>(0x80 | (encoding.picture_id >> 8)),
                static_cast<std::uint8_t>(encoding.picture_id)};
  if (first && key) {
    const auto low = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
    payload.insert(payload.end(),
                   {0x10, 0, 0, 0x9d, 0x01, 0x2a, low(encoding.width), low(encoding.width >> 8),
                    low(encoding.height), low(encoding.height >> 8)});
  } else if (first) {
    payload.insert(payload.end(), {0x11, 0, 0});
  }
  payload.resize(std::max(size, payload.size()), 0x55);
  return payload;
}

}  // namespace

relay::WebRtcMedium agreed_medium(const std::string& mid, std::vector<std::string> rids) {
  relay::WebRtcMedium medium;
  medium.mid = mid;
  medium.extensions.set(ExtensionKind::mid, kMid);
  medium.extensions.set(ExtensionKind::rid, kRid);
  medium.extensions.set(ExtensionKind::repaired_rid, kRepairedRid);
  medium.extensions.set(ExtensionKind::transport_wide_number, kTransportWide);
  medium.feedback = {.nack = true, .picture_loss = true, .transport_wide = true};
  medium.retransmission_payload_type = kRetransmissionType;
  medium.rids = std::move(rids);
  return medium;
}

Browser::Browser(World& world, std::uint16_t number)
    : random(number),
      peer(test::client_context(), random),
      address(peer_address(number, 50'000)),
      world_(world) {
  peer.on_media = [this](srtp::PacketKind kind, ByteView packet) { take(kind, packet); };
  move_to(address);
}

void Browser::move_to(const SocketAddress& to) {
  world_.detach(address);
  address = to;
  world_.attach(address, [this](const SocketAddress&, ByteView bytes) {
    Bytes copy(bytes.begin(), bytes.end());
    peer.receive(world_.now, copy);
    flush();
  });
}

void Browser::connect() {
  id = world_.transports->add(world_.now).value();
  static_cast<void>(world_.transports->set_remote(world_.now, id, peer.description()));
  peer.connect(world_.now, {.ice = world_.transports->local_credentials(id),
                            .fingerprint = test::server_context().fingerprint()});
  flush();
}

void Browser::flush() {
  while (const auto datagram = peer.next_datagram()) {
    world_.send(address, kPeerPort, Bytes(datagram->begin(), datagram->end()));
  }
  arm();
}

void Browser::arm() {
  const auto next = peer.next_timeout();
  if (!next || (armed_ && *armed_ <= *next && *armed_ > world_.now)) return;
  armed_ = *next;
  world_.at(*next, [this, when = *next] {
    if (armed_ != when) return;
    armed_.reset();
    peer.handle_timeout(world_.now);
    flush();
  });
}

void Browser::start_sending() {
  sending_ = true;
  tick();
}

void Browser::tick() {
  if (!sending_) return;
  for (SentEncoding& encoding : encodings) {
    if (encoding.active) send_frame(encoding);
    encoding.timestamp += 3000;
  }
  flush();
  world_.after(33ms, [this] { tick(); });
}

void Browser::send_frame(SentEncoding& encoding) {
  const bool key = std::exchange(encoding.wants_key_frame, false);
  const std::size_t packets = key ? 6 : 2;
  ++encoding.picture_id;
  for (std::size_t i = 0; i < packets; ++i) {
    send_packet(encoding, i == 0, i + 1 == packets, key);
  }
}

void Browser::send_packet(SentEncoding& encoding, bool first, bool last, bool key) {
  std::vector<rtp::ExtensionElement> elements;
  const bool names = encoding.packets++ < names_packets;
  if (names) elements.push_back({kMid, bytes_of(mid)});
  if (names && !encoding.rid.empty()) elements.push_back({kRid, bytes_of(encoding.rid)});
  std::array<std::uint8_t, 2> number{};
  store_be16(number.data(), transport_wide_number_++);
  elements.push_back({kTransportWide, number});
  std::array<std::uint8_t, 128> extension{};
  ByteWriter writer(extension);
  const auto profile = rtp::write_extension(elements, writer);

  Bytes packet(1500);
  const std::size_t header = rtp::write_header({.marker = last,
                                                .padding = false,
                                                .payload_type = kPayloadType,
                                                .sequence_number = encoding.sequence_number,
                                                .timestamp = {encoding.timestamp},
                                                .ssrc = encoding.ssrc,
                                                .contributing_sources = {},
                                                .extension_profile = profile,
                                                .extension_data = writer.written()},
                                               packet);
  packet.resize(header);
  const Bytes payload = vp8_payload(encoding, first, key, encoding.height);
  packet.insert(packet.end(), payload.begin(), payload.end());
  encoding.sent[encoding.sequence_number++] = packet;
  if (loses_every != 0 && ++sent_in_all_ % loses_every == 0) return;
  peer.send(srtp::PacketKind::rtp, packet);
}

void Browser::send_again(SentEncoding& encoding, std::uint16_t number) {
  const auto found = encoding.sent.find(number);
  if (found == encoding.sent.end()) return;
  const auto original = rtp::RtpPacketView::parse(found->second);
  if (!original) return;
  Bytes packet(original->header().begin(), original->header().end());
  rtp::set_payload_type(packet, kRetransmissionType);
  rtp::set_sequence_number(packet, encoding.retransmission_number++);
  rtp::set_ssrc(packet, encoding.retransmission_ssrc);
  packet.push_back(static_cast<std::uint8_t>(number >> 8));
  packet.push_back(static_cast<std::uint8_t>(number));
  packet.insert(packet.end(), original->payload().begin(), original->payload().end());
  peer.send(srtp::PacketKind::rtp, packet);
}

void Browser::take(srtp::PacketKind kind, ByteView packet) {
  if (kind == srtp::PacketKind::rtp) {
    take_rtp(packet);
  } else {
    take_rtcp(packet);
  }
}

void Browser::take_rtp(ByteView bytes) {
  const auto packet = rtp::RtpPacketView::parse(bytes);
  if (!packet) return;
  Received& in = received[packet->ssrc()];
  ++in.packets;
  in.payload_type = packet->payload_type();
  in.sequence_numbers.push_back(packet->sequence_number());
  in.timestamps.push_back(packet->timestamp().value);
  in.arrivals.push_back(world_.now);
  rtp::ExtensionReader reader(packet->extension_profile(), packet->extension_data());
  while (const auto element = reader.next()) {
    if (element->id == kMid) in.mid.assign(element->data.begin(), element->data.end());
  }
  const ByteView payload = packet->payload();
  if (packet->payload_type() != kPayloadType) return;
  const auto ids = frames::vp8_picture_ids(payload);
  if (!ids) return;
  in.picture_ids.push_back(ids->picture_id);
  const bool key = payload.size() > 13 && (payload[0] & 0x10) != 0 && (payload[4] & 1) == 0;
  if (!key) return;
  ++in.key_frames;
  in.heights.push_back(payload[12] | static_cast<std::uint32_t>(payload[13]) << 8);
}

void Browser::take_rtcp(ByteView bytes) {
  if (!rtp::check_rtcp(bytes)) return;
  rtp::RtcpReader reader(bytes);
  while (const auto packet = reader.next()) {
    if (packet->is(rtp::RtcpType::sender_report))
      ++received[*rtp::sender_ssrc(*packet)].sender_reports;
    if (packet->is(rtp::RtcpType::receiver_report)) reports += rtp::report_block_count(*packet);
    if (packet->is(rtp::RtcpType::transport_feedback)) {
      if (packet->count == rtp::kTransportFeedbackTransportWide) ++transport_feedbacks;
      for (std::size_t i = 0; i < rtp::nack_entry_count(*packet); ++i) {
        const rtp::NackEntry entry = rtp::nack_entry(*packet, i);
        const auto encoding =
            std::ranges::find(encodings, *rtp::feedback_media_ssrc(*packet), &SentEncoding::ssrc);
        if (encoding == encodings.end()) continue;
        for (int bit = -1; bit < 16; ++bit) {
          if (bit >= 0 && (entry.lost_bitmask >> bit & 1) == 0) continue;
          ++nacked;
          send_again(*encoding, static_cast<std::uint16_t>(entry.packet_id + bit + 1));
        }
      }
    }
    const bool asks =
        packet->is(rtp::RtcpType::payload_feedback) && packet->count == rtp::kPayloadFeedbackPli;
    if (!asks) continue;
    for (SentEncoding& encoding : encodings) {
      if (encoding.ssrc != *rtp::feedback_media_ssrc(*packet)) continue;
      encoding.wants_key_frame = true;
      ++encoding.key_frames_asked;
    }
  }
}

void Browser::ask_for_key_frame(std::uint32_t ssrc) {
  std::array<std::uint8_t, 256> buffer{};
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(kOwnSsrc, {});
  writer.picture_loss_indication(kOwnSsrc, ssrc);
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

void Browser::report_lost(std::uint32_t ssrc, const std::vector<std::uint16_t>& lost) {
  std::array<std::uint8_t, 1024> buffer{};
  std::array<rtp::NackEntry, 64> entries{};
  rtp::RtcpWriter writer(buffer);
  const std::size_t count = rtp::build_nack(lost, entries);
  writer.receiver_report(kOwnSsrc, {});
  writer.nack(kOwnSsrc, ssrc, std::span(entries).first(count));
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

relay::SourceLeg Browser::source_leg(std::vector<std::string> rids) const {
  relay::SourceMedium medium;
  medium.name = "video";
  medium.codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
  medium.payload_type = kPayloadType;
  medium.webrtc = agreed_medium(mid, std::move(rids));
  relay::SourceLeg leg;
  leg.media.push_back(std::move(medium));
  leg.peer = id;
  return leg;
}

relay::ReceiverLeg Browser::receiver_leg(const std::string& own_mid,
                                         relay::LayerWish layers) const {
  relay::ReceiverMedium medium;
  medium.payload_type = kPayloadType;
  medium.webrtc = agreed_medium(own_mid);
  medium.layers = std::move(layers);
  relay::ReceiverLeg leg;
  leg.media.push_back(std::move(medium));
  leg.peer = id;
  return leg;
}

}  // namespace runnel::simulation
