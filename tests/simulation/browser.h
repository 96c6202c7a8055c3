// A simulated browser: a peer with ICE, DTLS and SRTP that publishes VP8 by RTP with MID and RID,
// or plays what it gets.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtp_packet.h"
#include "tests/peer/test_peer.h"
#include "tests/simulation/world.h"

namespace runnel::simulation {

inline constexpr relay::PortIndex kPeerPort{0};

/// Ids of header extensions that all simulated browsers use, and what they agree on.
[[nodiscard]] relay::WebRtcMedium agreed_medium(const std::string& mid,
                                                std::vector<std::string> rids = {});

/// One RTP stream that a browser sends.
struct SentEncoding {
  std::string rid = {};
  std::uint32_t ssrc = 0;
  std::uint32_t retransmission_ssrc = 0;
  std::uint32_t width = 640;
  std::uint32_t height = 360;
  std::uint16_t sequence_number = 1000;
  std::uint16_t retransmission_number = 1;
  std::uint32_t timestamp = 0;
  std::uint16_t picture_id = 0;
  bool active = true;
  bool wants_key_frame = true;
  std::uint64_t key_frames_asked = 0;
  std::uint64_t packets = 0;
  std::map<std::uint16_t, Bytes> sent = {};  // for NACKs
};

/// What a browser got under one SSRC.
struct Received {
  std::uint64_t packets = 0;
  std::uint64_t key_frames = 0;
  std::vector<std::uint16_t> sequence_numbers;
  std::vector<std::uint32_t> timestamps;
  std::vector<std::uint16_t> picture_ids;
  std::vector<std::uint32_t> heights;  // of its key frames
  std::vector<Timestamp> arrivals;
  std::uint64_t sender_reports = 0;
  std::string mid;
  std::uint8_t payload_type = 0;
};

class Browser {
 public:
  Browser(World& world, std::uint16_t number);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Adds the peer to the world's Transports and begins to connect.
  void connect();
  /// From another address from now on.
  void move_to(const SocketAddress& address);

  /// A frame of each encoding in 33 ms, until `stop`.
  void start_sending();
  void stop_sending() { sending_ = false; }
  /// Of every n-th packet none arrives; 0: all do.
  std::uint64_t loses_every = 0;
  /// MID and RID end with so many packets of an SSRC, as in browsers.
  std::uint64_t names_packets = 10;

  /// RTCP of its own, as a viewer.
  void ask_for_key_frame(std::uint32_t ssrc);
  void report_lost(std::uint32_t ssrc, const std::vector<std::uint16_t>& lost);

  [[nodiscard]] relay::SourceLeg source_leg(std::vector<std::string> rids = {}) const;
  [[nodiscard]] relay::ReceiverLeg receiver_leg(const std::string& mid,
                                                relay::LayerWish layers = {}) const;

  SeededRandom random;
  test::TestPeer peer;
  transport::PeerId id{};
  SocketAddress address;
  std::string mid = "0";
  std::vector<SentEncoding> encodings;
  std::map<std::uint32_t, Received> received;

  // What the engine told it as a publisher.
  std::uint64_t transport_feedbacks = 0;
  std::uint64_t nacked = 0;
  std::uint64_t reports = 0;

 private:
  void flush();
  void arm();
  void take(srtp::PacketKind kind, ByteView packet);
  void take_rtp(ByteView packet);
  void take_rtcp(ByteView packet);
  void send_frame(SentEncoding& encoding);
  void send_packet(SentEncoding& encoding, bool first, bool last, bool key);
  void send_again(SentEncoding& encoding, std::uint16_t number);
  void tick();

  World& world_;
  bool sending_ = false;
  std::uint16_t transport_wide_number_ = 0;
  std::uint64_t sent_in_all_ = 0;
  std::optional<Timestamp> armed_;
};

}  // namespace runnel::simulation
