// A simulated receiver: decrypts, notes what a person would notice, and speaks RTCP back.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtcp_writer.h"
#include "core/rtp/rtp_packet.h"
#include "core/rtp/sequence_unwrapper.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "tests/simulation/content.h"
#include "tests/simulation/world.h"

namespace runnel::simulation {

struct ViewerOptions {
  SocketAddress rtp = peer_address(2, 50000);
  SocketAddress rtcp = peer_address(2, 50001);  // the same as `rtp` with rtcp-mux
  relay::PortIndex rtp_port{};                  // the engine's
  relay::PortIndex rtcp_port{};
  std::uint32_t ssrc = 0x22222222;                         // that it reports under
  std::optional<relay::ChannelId> channel = std::nullopt;  // gets messages instead
  bool knows_content = true;  // as a Publisher's; what others send is not looked at
};

struct ReceivedPacket {
  Timestamp arrival{};
  std::uint32_t ssrc = 0;
  std::uint64_t position = 0;  // its unwrapped sequence number, for each SSRC
  std::uint16_t sequence_number = 0;
  std::uint32_t timestamp = 0;
  std::uint8_t payload_type = 0;
  bool marker = false;
  Content content;
  Bytes header;
  std::size_t padding = 0;
};

class Viewer {
 public:
  /// Without a key it expects plain RTP.
  Viewer(World& world, ViewerOptions options, const srtp::MasterKey* key,
         const srtp::MasterKey* reply_key = nullptr);
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  void ask_by_picture_loss_indication() { ask_by_picture_loss_indication(media_ssrc()); }
  void ask_by_picture_loss_indication(std::uint32_t media_ssrc);
  void ask_by_full_intra_request();
  void send_nack(std::span<const std::uint16_t> lost);
  /// Quotes the last sender report, when there was one.
  void send_report(std::uint8_t fraction_lost = 0, std::uint32_t jitter = 0);
  void send_goodbye();
  /// A report without any block: the first sign of life of somebody who has got nothing yet.
  void say_hello();

  /// Of the newest packet.
  [[nodiscard]] std::uint32_t media_ssrc() const {
    return packets.empty() ? 0 : packets.back().ssrc;
  }
  [[nodiscard]] std::set<std::uint32_t> ssrcs() const;
  /// Numbers of all packets received, each once.
  [[nodiscard]] std::set<std::uint32_t> numbers() const;

  ViewerOptions options;
  std::vector<ReceivedPacket> packets;
  std::vector<rtp::SenderReport> sender_reports;
  std::vector<Timestamp> sender_report_arrivals;
  std::vector<std::uint32_t> goodbyes;  // SSRCs
  std::string cname;
  std::uint64_t refused = 0;    // by SRTP
  std::uint64_t corrupted = 0;  // payloads that are not what was sent

 private:
  void take(ByteView bytes);
  void take_media(ByteView clear);
  void take_control(ByteView clear);
  void send_control(rtp::RtcpWriter& writer, ByteSpan buffer);

  World& world_;
  std::optional<srtp::Receiver> receiver_;
  std::optional<srtp::Sender> sender_;
  std::map<std::uint32_t, rtp::SequenceUnwrapper> unwrappers_;
};

/// What a person would notice: that nothing was refused or corrupted, that no sequence number came
/// twice, that sequence numbers are in the order of the source's packets, and that the timestamps
/// are the same within a frame and advance from frame to frame.
void expect_flawless(const Viewer& viewer);
/// Also that gaps are where the source's own packets are missing, and nowhere else.
void expect_gaps_of_the_source(const Viewer& viewer);

}  // namespace runnel::simulation
