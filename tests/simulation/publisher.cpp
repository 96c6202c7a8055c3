#include "tests/simulation/publisher.h"

#include <gtest/gtest.h>

#include "core/relay/media_clock.h"

namespace runnel::simulation {

Publisher::Publisher(World& world, PublisherOptions publisher_options, const srtp::MasterKey* key,
                     std::uint32_t rollover_counter)
    : options(publisher_options),
      sequence_number(publisher_options.first_sequence_number),
      world_(world),
      timestamp_(publisher_options.first_timestamp) {
  if (key != nullptr) {
    sender_.emplace(
        *key, srtp::SenderOptions{.max_ssrcs = 1000, .initial_rollover_counter = rollover_counter});
    receiver_.emplace(*key);
  }
  attach();
}

void Publisher::attach() {
  if (options.channel) {
    world_.attach(*options.channel, [this](const relay::OutgoingMessage& message) {
      EXPECT_TRUE(message.is_rtcp);
      EXPECT_EQ(message.medium, options.medium);
      take(message.bytes);
    });
    return;
  }
  const auto inbox = [this](const SocketAddress&, ByteView bytes) { take(bytes); };
  world_.attach(options.rtp, inbox);
  world_.attach(options.rtcp, inbox);
}

void Publisher::start() {
  running_ = true;
  ++run_;
  tick();
}

void Publisher::tick() {
  send_frame();
  world_.after(options.frame_interval, [this, run = run_] {
    if (!running_ || run != run_) return;
    timestamp_ += relay::ticks(options.frame_interval, options.clock_rate);
    tick();
  });
}

void Publisher::send_frame() {
  for (std::size_t i = 0; i < options.packets_per_frame; ++i) {
    send(make_packet(i + 1 == options.packets_per_frame));
  }
  ++frames;
}

void Publisher::send(Bytes packet) {
  if (options.channel) {
    world_.send(*options.channel, options.relay, options.medium, std::move(packet));
  } else {
    world_.send(options.rtp, options.rtp_port, std::move(packet));
  }
}

void Publisher::restart(std::uint32_t ssrc, std::uint16_t next_sequence_number,
                        std::uint32_t timestamp) {
  options.ssrc = ssrc;
  sequence_number = next_sequence_number;
  timestamp_ = timestamp;
}

void Publisher::move_to(const SocketAddress& rtp, const SocketAddress& rtcp) {
  world_.detach(options.rtp);
  world_.detach(options.rtcp);
  options.rtp = rtp;
  options.rtcp = rtcp;
  attach();
}

Bytes Publisher::make_packet(bool marker) {
  Bytes packet(kPacketCapacity);
  const std::size_t header_size = rtp::write_header({.marker = marker,
                                                     .padding = padding != 0,
                                                     .payload_type = options.payload_type,
                                                     .sequence_number = sequence_number++,
                                                     .timestamp = {timestamp_},
                                                     .ssrc = options.ssrc,
                                                     .contributing_sources = contributing_sources,
                                                     .extension_profile = extension_profile,
                                                     .extension_data = extension},
                                                    packet);
  const Bytes content = make_content({packets++, frames}, options.payload_size);
  copy_bytes(ByteSpan(packet).subspan(header_size), content);
  std::size_t size = header_size + content.size() + padding;
  if (padding != 0) packet[size - 1] = static_cast<std::uint8_t>(padding);
  octets_ += static_cast<std::uint32_t>(content.size());
  if (sender_) {
    const auto protected_size = sender_->protect_in_place(srtp::PacketKind::rtp, packet, size);
    EXPECT_TRUE(protected_size);
    size = protected_size.value_or(0);
  }
  packet.resize(size);
  return packet;
}

NtpTime Publisher::ntp_now() const {
  return relay::ntp_after({std::uint64_t{3'900'000'000} << 32}, world_.now.time_since_epoch());
}

void Publisher::send_report() {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.sender_report({options.ssrc, ntp_now(), {timestamp_}, packets, octets_});
  writer.source_description(options.ssrc, "publisher");
  send_control(writer, buffer);
}

void Publisher::send_goodbye() {
  Bytes buffer(kPacketCapacity);
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(options.ssrc, {});
  writer.source_description(options.ssrc, "publisher");
  writer.goodbye(options.ssrc);
  send_control(writer, buffer);
}

void Publisher::send_control(rtp::RtcpWriter& writer, ByteSpan buffer) {
  std::size_t size = writer.written().size();
  if (sender_) {
    const auto protected_size = sender_->protect_in_place(srtp::PacketKind::rtcp, buffer, size);
    EXPECT_TRUE(protected_size);
    size = protected_size.value_or(0);
  }
  const auto packet = buffer.first(size);
  world_.send(options.rtcp, options.rtcp_port, Bytes(packet.begin(), packet.end()));
}

void Publisher::take(ByteView bytes) {
  Bytes packet(bytes.begin(), bytes.end());
  if (receiver_) {
    const auto size = receiver_->unprotect_in_place(srtp::PacketKind::rtcp, packet);
    if (!size) {
      ++faults;
      return;
    }
    packet.resize(*size);
  }
  if (!rtp::check_rtcp(packet)) {
    ++faults;
    return;
  }
  rtp::RtcpReader reader(packet);
  while (const auto part = reader.next()) {
    switch (static_cast<rtp::RtcpType>(part->type)) {
      case rtp::RtcpType::receiver_report:
        for (std::size_t i = 0; i < rtp::report_block_count(*part); ++i) {
          reports.push_back(rtp::report_block(*part, i));
        }
        break;
      case rtp::RtcpType::payload_feedback:
        EXPECT_EQ(part->count, rtp::kPayloadFeedbackPli);
        EXPECT_EQ(rtp::feedback_media_ssrc(*part), options.ssrc);
        ++picture_loss_indications;
        break;
      case rtp::RtcpType::goodbye:
        ++goodbyes;
        break;
      case rtp::RtcpType::source_description: {
        const ByteView name = rtp::source_description_cname(*part, load_be32(part->body.data()));
        cname.assign(name.begin(), name.end());
        break;
      }
      default:
        ++faults;
    }
  }
}

}  // namespace runnel::simulation
