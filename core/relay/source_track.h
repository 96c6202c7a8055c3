// All that is known of one medium of a source.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/frames/format.h"
#include "core/frames/picture_size.h"
#include "core/relay/bitrate_meter.h"
#include "core/relay/early_reports.h"
#include "core/relay/failure_notices.h"
#include "core/relay/key_frame_requests.h"
#include "core/relay/lifecycle_notices.h"
#include "core/relay/relay_description.h"
#include "core/relay/retransmission_buffer.h"
#include "core/relay/sender_report_clock.h"
#include "core/relay/source_line.h"
#include "core/relay/ssrc_selector.h"
#include "core/relay/webrtc_source.h"
#include "core/rtp/codec.h"
#include "core/rtp/reception_statistics.h"
#include "core/srtp/srtp_receiver.h"

namespace runnel::relay {

/// idle -> live <-> stalled -> gone, and from live or stalled to ended by a BYE. Packets lead from
/// everywhere to live.
enum class TrackState : std::uint8_t {
  idle,     // nothing has come yet
  live,     // packets flow
  stalled,  // silent for the stall time
  ended,    // the source said BYE; its receivers are still held
  gone,     // silent for the hold time; receivers have got a BYE
};

/// Where a packet came from; nullopt when it was a message.
using PacketOrigin = std::optional<SocketAddress>;

/// One encoding of a medium; most media have one alone.
struct SourceTrack {
  SourceTrack(std::uint32_t own_index, std::uint32_t relay_index, std::uint32_t medium_index,
              const SourceMedium& described, const EngineLimits& limits)
      : index(own_index),
        relay(relay_index),
        medium(medium_index),
        first(own_index),
        name(described.name),
        codec(described.codec),
        format(frames::format_of(described.codec)),
        line(described.codec.clock_rate),
        sent(limits.retransmission_packets),
        reception(0, described.codec.clock_rate),
        key_frames(limits.key_frame_interval) {}

  // What stays when the source is replaced.
  std::uint32_t index;  // its own
  std::uint32_t relay;
  std::uint32_t medium;
  std::uint32_t first;                   // index of the medium's first encoding
  std::uint32_t encoding = 0;            // among those of the medium
  std::vector<std::uint32_t> encodings;  // of the first one: the indices of all, its own included
  std::string name;
  rtp::Codec codec;
  frames::Format format;
  std::vector<std::uint32_t> receivers;  // indices of the ReceiverTracks that follow it
  std::vector<std::uint32_t> waiting;    // of those that do so from its next key frame on
  std::uint32_t repeat_askers = 0;  // of the first one: receivers that may ask for packets again

  // The present source, as described.
  std::uint8_t payload_type = 96;
  LocalPorts ports;
  std::optional<ChannelId> channel;      // instead of ports
  std::optional<std::uint32_t> link;     // index of a PeerLink; instead of ports
  std::string rid;                       // of this encoding; empty: the medium has one alone
  bool is_offered = false;               // the source has such an encoding
  std::unique_ptr<WebRtcSource> webrtc;  // with `link`
  std::optional<std::uint32_t> pinned_ssrc;
  std::optional<SocketAddress> remote;  // where alone its RTP may come from
  std::optional<SocketAddress> rtcp_remote;
  std::optional<srtp::Receiver> srtp;  // of its RTP; absent on a clear leg

  // The source as it is now.
  TrackState state = TrackState::idle;
  SsrcSelector ssrc;
  std::optional<std::uint32_t> replaced_ssrc;  // the last of the source before this one
  SourceLine line;
  std::uint32_t run = 0;      // see ClearPacket
  RetransmissionBuffer sent;  // for receivers that ask for packets again
  rtp::ReceptionStatistics reception;
  Timestamp live_since{};
  Timestamp last_packet{};
  bool is_quiet = false;    // for kEncodingSilence, which its receivers have been led away from
  Timestamp last_search{};  // search_after_silence
  Timestamp said_goodbye{};
  PacketOrigin rtp_address;                         // of the last authenticated packet
  std::optional<frames::PictureSize> picture_size;  // as its last key frame said
  std::uint8_t size_requests = 0;                   // key frames asked for on its account
  BitrateMeter bitrate;
  std::optional<SocketAddress> rtcp_address;  // the same of RTCP

  // Reports and requests.
  std::optional<SenderReportClock> clock;  // RTP time on the line
  EarlyReports early_reports;
  Timestamp next_report{};
  Timestamp last_sender_reports{};  // when the receivers got theirs
  std::uint32_t overdue_sender_reports = 0;
  KeyFrameRequests key_frames;
  bool wants_key_frame = false;  // as soon as a new source can be asked
  FailureNotices failures;
  LifecycleNotices notices;

  // Counters.
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t restarts = 0;
  std::uint64_t key_frame_requests = 0;
  std::uint64_t nacked_packets = 0;  // asked for again, each time counted
  DropCounters drops;

  /// What is its own of the present source; counters and the place on the line stay.
  void forget_source(Duration key_frame_interval) {
    ports = {};
    channel.reset();
    link.reset();
    rid.clear();
    is_offered = false;
    webrtc.reset();
    picture_size.reset();
    size_requests = 0;
    pinned_ssrc.reset();
    remote.reset();
    rtcp_remote.reset();
    srtp.reset();
    if (ssrc.current()) replaced_ssrc = ssrc.current();
    ssrc = {};
    rtp_address.reset();
    rtcp_address.reset();
    early_reports = {};
    key_frames = KeyFrameRequests(key_frame_interval);
    wants_key_frame = false;
    failures = {};
  }

  [[nodiscard]] bool is_flowing() const noexcept {
    return state == TrackState::live || state == TrackState::stalled;
  }
  [[nodiscard]] bool uses(PortIndex port) const noexcept {
    return !channel && !link && (ports.rtp == port || ports.rtcp == port);
  }
  /// Whether whoever sends it has shown that it may.
  [[nodiscard]] bool is_authentic() const noexcept { return srtp || channel || link; }
  /// Where our RTCP goes: to where the source's own comes from, else by the convention of RFC 3550
  /// §11 to the port above its RTP.
  [[nodiscard]] std::optional<SocketAddress> reply_address() const noexcept {
    if (!ports.rtcp || !rtp_address) return ports.rtcp ? rtcp_address : rtp_address;
    if (rtcp_address) return rtcp_address;
    return SocketAddress{rtp_address->ip, static_cast<std::uint16_t>(rtp_address->port + 1)};
  }
  [[nodiscard]] PortIndex reply_port() const noexcept { return ports.rtcp.value_or(ports.rtp); }
};

}  // namespace runnel::relay
