// A simulated sender: frames of RTP under SRTP or in the clear, sender reports, BYE; it notes what
// the engine tells it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtcp_writer.h"
#include "core/rtp/rtp_packet.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "tests/simulation/content.h"
#include "tests/simulation/world.h"

namespace runnel::simulation {

struct PublisherOptions {
  SocketAddress rtp = peer_address(1, 40000);
  SocketAddress rtcp = peer_address(1, 40001);  // the same as `rtp` with rtcp-mux
  relay::PortIndex rtp_port{};
  relay::PortIndex rtcp_port{};
  /// Sends messages instead, for the medium of the relay. Its RTCP is a call of the engine.
  std::optional<relay::ChannelId> channel = std::nullopt;
  std::size_t relay = 0;
  std::size_t medium = 0;
  std::uint8_t payload_type = 96;
  std::uint32_t clock_rate = 90000;
  std::uint32_t ssrc = 0x11111111;
  std::uint16_t first_sequence_number = 1000;
  std::uint32_t first_timestamp = 0x7fffff00;
  Duration frame_interval = 40ms;
  std::size_t packets_per_frame = 4;
  std::size_t payload_size = 300;
};

class Publisher {
 public:
  /// Without a key it sends plain RTP. `rollover_counter`: what its packets begin with.
  Publisher(World& world, PublisherOptions options, const srtp::MasterKey* key,
            std::uint32_t rollover_counter = 0);
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  /// A frame at once, and then one each frame interval until `stop`.
  void start();
  void stop() { running_ = false; }
  void send_frame();
  /// Another program instance under the same key: everything new but the content's numbers.
  void restart(std::uint32_t ssrc, std::uint16_t sequence_number, std::uint32_t timestamp);
  void move_to(const SocketAddress& rtp, const SocketAddress& rtcp);
  void send_report();
  void send_goodbye();

  /// The packet that would be next, protected; its number counts as sent.
  [[nodiscard]] Bytes make_packet(bool marker);
  void send(Bytes packet);
  /// Wall clock of this sender.
  [[nodiscard]] NtpTime ntp_now() const;
  [[nodiscard]] std::uint32_t timestamp_now() const { return timestamp_; }

  PublisherOptions options;
  /// Fields of the next packets' headers.
  std::vector<std::uint32_t> contributing_sources;
  std::optional<std::uint16_t> extension_profile;
  Bytes extension;
  std::size_t padding = 0;

  std::uint32_t packets = 0;  // sent, and so the number of the next
  std::uint32_t frames = 0;
  std::uint16_t sequence_number = 0;  // of the next packet

  // What the engine told it.
  std::uint64_t picture_loss_indications = 0;
  std::uint64_t goodbyes = 0;
  std::uint64_t faults = 0;  // what it could not decrypt or read
  std::vector<rtp::ReportBlock> reports;
  std::string cname;

 private:
  void attach();
  void take(ByteView bytes);
  void tick();
  void send_control(rtp::RtcpWriter& writer, ByteSpan buffer);

  World& world_;
  std::optional<srtp::Sender> sender_;
  std::optional<srtp::Receiver> receiver_;
  bool running_ = false;
  std::uint64_t run_ = 0;  // a tick of an earlier run is void
  std::uint32_t timestamp_ = 0;
  std::uint32_t octets_ = 0;
};

}  // namespace runnel::simulation
