// All that is known of one medium to one receiver.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/address.h"
#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/frames/picture_ids.h"
#include "core/relay/relay_description.h"
#include "core/relay/sequence_translator.h"
#include "core/relay/webrtc_receiver.h"
#include "core/srtp/srtp_sender.h"

namespace runnel::relay {

/// When which sender report was sent, to find the round trip when a receiver quotes it (RFC 3550
/// §6.4.1, LSR and DLSR). The last few are enough: a receiver quotes the last that it got.
class SentReports {
 public:
  void sent(NtpTime ntp, Timestamp now) noexcept {
    entries_[next_] = {ntp.middle(), now};
    next_ = (next_ + 1) % entries_.size();
  }
  [[nodiscard]] std::optional<Timestamp> find(std::uint32_t middle) const noexcept {
    if (middle == 0) return std::nullopt;  // "no report yet"
    for (const Entry& entry : entries_) {
      if (entry.middle == middle) return entry.when;
    }
    return std::nullopt;
  }
  void forget() noexcept { entries_ = {}; }

 private:
  struct Entry {
    std::uint32_t middle = 0;
    Timestamp when{};
  };
  std::array<Entry, 4> entries_{};
  std::size_t next_ = 0;
};

/// When a receiver has got which timestamp.
struct SentTime {
  RtpTime timestamp;
  Timestamp when{};
};

/// That a receiver has said BYE, until somebody is latched again.
struct Departure {
  SocketAddress from;  // where it got its RTP
  Timestamp when{};
};

/// What each packet needs stands first, in neighbouring cache lines: a burst to many receivers
/// waits for memory more than for arithmetic.
struct ReceiverTrack {
  // Where it is, and what it sees there. Without an RTP destination or a channel it gets nothing.
  std::uint32_t index = 0;   // its own
  std::uint32_t source = 0;  // index of its SourceTrack
  std::uint8_t payload_type = 96;
  bool paused = false;
  bool key_expired = false;
  bool begun = false;  // has got packets under this SSRC, and no BYE
  std::uint32_t ssrc = 0;
  LocalPorts ports;
  std::optional<SocketAddress> rtp_destination;
  ReceiverMediumId id;
  std::optional<ChannelId> channel;        // instead of ports and destinations
  std::unique_ptr<WebRtcReceiver> webrtc;  // with `link`
  std::optional<srtp::Sender> sender;      // absent on a clear leg, and of a peer
  srtp::Sender* shared_sender = nullptr;   // of the peer, once it is connected
  SequenceTranslator sequence;
  std::uint64_t first_position = 0;  // of `source` that it may get
  std::uint32_t run = 0;             // of the packets that it got last; 0: another one begins
  std::uint32_t timestamp_offset = 0;
  frames::PictureLine pictures;
  std::uint32_t packet_count = 0;  // under this SSRC, as in sender reports
  std::uint32_t octet_count = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::optional<SentTime> newest_time;  // under this SSRC

  // As described.
  std::uint32_t leg = 0;
  bool pinned_ssrc = false;
  std::optional<std::uint32_t> reply_ssrc;
  std::optional<std::uint32_t> link;  // index of a PeerLink, whose ports and path it has
  LayerWish layers;

  // Which encoding it gets: `source`, once it follows it.
  bool follows = false;
  std::optional<std::uint32_t> next_source;  // whose next key frame is awaited

  // Its RTCP, and what it says of itself.
  std::optional<SocketAddress> rtcp_destination;
  std::optional<Timestamp> refused;    // when the network last said that it is not there
  Timestamp refused_since{};           // when it first said so, without a break since
  std::uint32_t ssrcs_used = 1;        // by `sender`
  bool sender_report_overdue = false;  // has begun, and no report has told it what time that is
  SentReports reports;
  std::optional<std::uint32_t> reporter;  // the SSRC that reports on this track
  std::optional<Timestamp> reported;      // once it has: its last sign of life
  bool said_goodbye = false;
  std::optional<Departure> departure;  // of a latched one

  // Counters, and what it reports.
  std::uint64_t key_frame_requests = 0;
  std::uint64_t nacked_packets = 0;
  std::uint64_t retransmitted_packets = 0;
  std::optional<double> fraction_lost;
  std::optional<Duration> round_trip;
  std::optional<Duration> jitter;
  DropCounters drops;

  [[nodiscard]] bool uses(PortIndex port) const noexcept {
    return !channel && !link && (ports.rtp == port || ports.rtcp == port);
  }
  /// nullptr: a clear leg.
  [[nodiscard]] srtp::Sender* present_sender() noexcept {
    return sender ? &*sender : shared_sender;
  }
  [[nodiscard]] PortIndex control_port() const noexcept { return ports.rtcp.value_or(ports.rtp); }
};

}  // namespace runnel::relay
