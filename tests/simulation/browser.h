// A simulated browser: a peer with ICE, DTLS and SRTP that publishes VP8 by RTP with MID and RID,
// or plays what it gets.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtp_packet.h"
#include "core/rtp/sequence_unwrapper.h"
#include "tests/peer/test_peer.h"
#include "tests/simulation/world.h"

namespace runnel::simulation {

inline constexpr relay::PortIndex kPeerPort{0};

/// What simulated browsers agree on, unless a test says otherwise.
[[nodiscard]] relay::WebRtcMedium agreed_medium(const std::string& mid,
                                                std::vector<std::string> rids = {});

/// One RTP stream that a browser sends.
struct SentEncoding {
  std::string rid = {};
  std::string mid = {};  // empty: the browser's
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
  std::uint64_t repeated = 0;
  std::uint64_t loses_next = 0;              // of its packets, that never arrive
  std::map<std::uint16_t, Bytes> sent = {};  // for NACKs
};

/// A packet that a browser got, be it by a retransmission.
struct Picture {
  std::uint32_t timestamp = 0;
  std::uint16_t picture_id = 0;
  bool key = false;
  std::uint32_t height = 0;  // of a key frame
  std::size_t payload_size = 0;
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
  std::map<std::uint64_t, Picture> in_order;  // by unwrapped sequence number
  rtp::SequenceUnwrapper line;
};

/// What a person would notice: numbers without a gap, timestamps that do not run back, pictures
/// that follow each other. The last `rest` packets may still be on their way.
void expect_continuous(const Received& got, std::size_t rest = 0);

class Browser {
 public:
  Browser(World& world, std::uint16_t number);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Adds the peer to the world's Transports and begins to connect.
  void connect();
  /// What its peer wants sent is on its way.
  void flush();
  /// From another address from now on.
  void move_to(const SocketAddress& address);
  /// The network has given it another one, which it notices by its next check.
  void check();
  /// ICE restart, by an offer of its own.
  void restart();
  /// Nothing of it arrives any more.
  void go_silent();

  /// A frame of each encoding in 33 ms, until `stop`.
  void start_sending();
  void stop_sending() { sending_ = false; }
  /// Of every n-th packet none arrives; 0: all do.
  std::uint64_t loses_every = 0;
  /// MID and RID end with so many packets of an SSRC, as in browsers.
  std::uint64_t names_packets = 10;
  std::uint8_t payload_type = 96;
  std::uint8_t retransmission_type = 97;
  /// Of what it sends.
  std::size_t frame_packets = 2;
  /// Changes what its legs agree on.
  std::function<void(relay::WebRtcMedium&)> adjust;
  /// Padding alone: in the stream of the encoding's retransmissions, or among its media.
  void probe_by_retransmission(SentEncoding& encoding);
  void probe_by_media(SentEncoding& encoding);
  /// Once more, as senders do that probe.
  void send_again(SentEncoding& encoding, std::uint16_t number);
  /// A packet of the encoding that is not its own: of another payload type.
  void send_other_type(SentEncoding& encoding, std::uint8_t type);

  /// RTCP of its own, as a viewer.
  void ask_for_key_frame(std::uint32_t ssrc);
  void ask_by_full_intra_request(std::uint32_t ssrc);
  void report_lost(std::uint32_t ssrc, const std::vector<std::uint16_t>& lost);
  /// From now on it asks for what is missing under `ssrc`, every 30 ms, until it has come.
  void repair(std::uint32_t ssrc, std::optional<std::uint32_t> retransmissions);
  /// And as a publisher.
  void say_goodbye(std::uint32_t ssrc);
  void send_sender_report(const SentEncoding& encoding);

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
  std::uint64_t intra_requests = 0;
  std::optional<std::uint64_t> allowance;  // by REMB
  std::uint64_t nacked = 0;
  std::uint64_t reports = 0;

 private:
  void arm();
  void take(srtp::PacketKind kind, ByteView packet);
  void take_rtp(ByteView packet);
  void note_picture(Received& in, std::uint16_t number, std::uint32_t timestamp, ByteView payload);
  void take_rtcp(ByteView packet);
  void take_nack(const rtp::RtcpPacketView& packet);
  void take_payload_feedback(const rtp::RtcpPacketView& packet);
  void send_frame(SentEncoding& encoding);
  void send_packet(SentEncoding& encoding, bool first, bool last, bool key);
  [[nodiscard]] Bytes header_of(SentEncoding& encoding, rtp::RtpHeader header, bool repairs);
  void tick();
  void ask_for_missing(std::uint32_t ssrc);

  World& world_;
  bool sending_ = false;
  std::uint16_t transport_wide_number_ = 0;
  std::uint64_t sent_in_all_ = 0;
  bool silent_ = false;
  std::map<std::uint32_t, std::uint32_t> repairs_;  // by the SSRC of retransmissions
  std::optional<Timestamp> armed_;
};

}  // namespace runnel::simulation
