// What a simulated browser sends and gets as media.
#include <algorithm>
#include <array>

#include "core/base/byte_writer.h"
#include "core/frames/vp8_rewriter.h"
#include "core/rtp/header_extension.h"
#include "core/rtp/retransmission.h"
#include "tests/simulation/browser.h"

namespace runnel::simulation {
namespace {

using rtp::ExtensionKind;

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
  const std::size_t packets = key ? 6 : frame_packets;
  encoding.picture_id = (encoding.picture_id + 1) & 0x7fff;
  for (std::size_t i = 0; i < packets; ++i) {
    send_packet(encoding, i == 0, i + 1 == packets, key);
  }
}

Bytes Browser::header_of(SentEncoding& encoding, rtp::RtpHeader header, bool repairs) {
  const relay::WebRtcMedium medium = agreed_medium("");
  std::vector<rtp::ExtensionElement> elements;
  const std::string& own_mid = encoding.mid.empty() ? mid : encoding.mid;
  const bool names = (repairs ? encoding.repeated++ : encoding.packets++) < names_packets;
  if (names) elements.push_back({medium.extensions[ExtensionKind::mid], bytes_of(own_mid)});
  if (names && !encoding.rid.empty()) {
    const auto kind = repairs ? ExtensionKind::repaired_rid : ExtensionKind::rid;
    elements.push_back({medium.extensions[kind], bytes_of(encoding.rid)});
  }
  std::array<std::uint8_t, 2> number{};
  store_be16(number.data(), transport_wide_number_++);
  elements.push_back({medium.extensions[ExtensionKind::transport_wide_number], number});
  std::array<std::uint8_t, 128> extension{};
  ByteWriter writer(extension);
  header.extension_profile = rtp::write_extension(elements, writer);
  header.extension_data = writer.written();
  Bytes bytes(256);
  bytes.resize(rtp::write_header(header, bytes));
  return bytes;
}

void Browser::send_packet(SentEncoding& encoding, bool first, bool last, bool key) {
  Bytes packet = header_of(encoding,
                           {.marker = last,
                            .padding = false,
                            .payload_type = payload_type,
                            .sequence_number = encoding.sequence_number,
                            .timestamp = {encoding.timestamp},
                            .ssrc = encoding.ssrc,
                            .contributing_sources = {},
                            .extension_profile = {},
                            .extension_data = {}},
                           false);
  const Bytes payload = vp8_payload(encoding, first, key, encoding.height);
  packet.insert(packet.end(), payload.begin(), payload.end());
  encoding.sent[encoding.sequence_number++] = packet;
  if (loses_every != 0 && ++sent_in_all_ % loses_every == 0) return;
  if (encoding.loses_next != 0) {
    --encoding.loses_next;
    return;
  }
  peer.send(srtp::PacketKind::rtp, packet);
}

void Browser::send_again(SentEncoding& encoding, std::uint16_t number) {
  const auto found = encoding.sent.find(number);
  if (found == encoding.sent.end()) return;
  const auto original = rtp::RtpPacketView::parse(found->second);
  if (!original) return;
  Bytes packet = header_of(encoding,
                           {.marker = original->marker(),
                            .padding = false,
                            .payload_type = retransmission_type,
                            .sequence_number = encoding.retransmission_number++,
                            .timestamp = original->timestamp(),
                            .ssrc = encoding.retransmission_ssrc,
                            .contributing_sources = {},
                            .extension_profile = {},
                            .extension_data = {}},
                           true);
  packet.push_back(static_cast<std::uint8_t>(number >> 8));
  packet.push_back(static_cast<std::uint8_t>(number));
  packet.insert(packet.end(), original->payload().begin(), original->payload().end());
  peer.send(srtp::PacketKind::rtp, packet);
}

void Browser::probe_by_retransmission(SentEncoding& encoding) {
  Bytes packet = header_of(encoding,
                           {.marker = false,
                            .padding = true,
                            .payload_type = retransmission_type,
                            .sequence_number = encoding.retransmission_number++,
                            .timestamp = {encoding.timestamp},
                            .ssrc = encoding.retransmission_ssrc,
                            .contributing_sources = {},
                            .extension_profile = {},
                            .extension_data = {}},
                           true);
  packet.resize(packet.size() + 224, 0);
  packet.back() = 224;
  peer.send(srtp::PacketKind::rtp, packet);
  flush();
}

void Browser::probe_by_media(SentEncoding& encoding) {
  Bytes packet = header_of(encoding,
                           {.marker = false,
                            .padding = true,
                            .payload_type = payload_type,
                            .sequence_number = encoding.sequence_number++,
                            .timestamp = {encoding.timestamp},
                            .ssrc = encoding.ssrc,
                            .contributing_sources = {},
                            .extension_profile = {},
                            .extension_data = {}},
                           false);
  packet.resize(packet.size() + 224, 0);
  packet.back() = 224;
  peer.send(srtp::PacketKind::rtp, packet);
  flush();
}

void Browser::send_other_type(SentEncoding& encoding, std::uint8_t type) {
  Bytes packet = encoding.sent.rbegin()->second;
  rtp::set_payload_type(packet, type);
  rtp::set_sequence_number(packet, encoding.sequence_number);
  peer.send(srtp::PacketKind::rtp, packet);
  flush();
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
    if (element->id == 1) in.mid.assign(element->data.begin(), element->data.end());
  }
  if (packet->payload_type() == payload_type) {
    return note_picture(in, packet->sequence_number(), packet->timestamp().value,
                        packet->payload());
  }
  const auto repeated = rtp::parse_retransmission(*packet);
  const auto media = repairs_.find(packet->ssrc());
  if (!repeated || media == repairs_.end()) return;
  note_picture(received[media->second], repeated->original_sequence_number,
               packet->timestamp().value, repeated->payload);
}

void Browser::note_picture(Received& in, std::uint16_t number, std::uint32_t timestamp,
                           ByteView payload) {
  Picture picture{.timestamp = timestamp, .payload_size = payload.size()};
  if (const auto ids = frames::vp8_picture_ids(payload)) {
    picture.picture_id = ids->picture_id;
    in.picture_ids.push_back(ids->picture_id);
    picture.key = payload.size() > 13 && (payload[0] & 0x10) != 0 && (payload[4] & 1) == 0;
  }
  if (picture.key) {
    picture.height = payload[12] | static_cast<std::uint32_t>(payload[13]) << 8;
    ++in.key_frames;
    in.heights.push_back(picture.height);
  }
  in.in_order[in.line.unwrap(number)] = picture;
}

}  // namespace runnel::simulation
