// All that is known of one medium of a source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/relay/early_reports.h"
#include "core/relay/failure_notices.h"
#include "core/relay/key_frame_requests.h"
#include "core/relay/lifecycle_notices.h"
#include "core/relay/relay_description.h"
#include "core/relay/sender_report_clock.h"
#include "core/relay/source_line.h"
#include "core/relay/ssrc_selector.h"
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

struct SourceTrack {
  SourceTrack(std::uint32_t relay_index, std::uint32_t medium_index, const SourceMedium& described,
              Duration key_frame_interval)
      : relay(relay_index),
        medium(medium_index),
        name(described.name),
        codec(described.codec),
        payload_type(described.payload_type),
        ports(described.ports),
        pinned_ssrc(described.ssrc),
        line(described.codec.clock_rate),
        reception(0, described.codec.clock_rate),
        key_frames(key_frame_interval) {}

  // As described.
  std::uint32_t relay;
  std::uint32_t medium;
  std::string name;
  rtp::Codec codec;
  std::uint8_t payload_type;
  LocalPorts ports;
  std::optional<std::uint32_t> pinned_ssrc;
  std::vector<std::uint32_t> receivers;  // indices of its ReceiverTracks
  std::optional<srtp::Receiver> srtp;    // of its RTP; absent on a clear leg

  // The source as it is now.
  TrackState state = TrackState::idle;
  SsrcSelector ssrc;
  SourceLine line;
  rtp::ReceptionStatistics reception;
  Timestamp live_since{};
  Timestamp last_packet{};
  Timestamp last_search{};  // search_after_silence
  Timestamp said_goodbye{};
  std::optional<SocketAddress> rtp_address;   // of the last authenticated packet
  std::optional<SocketAddress> rtcp_address;  // the same of RTCP

  // Reports and requests.
  std::optional<SenderReportClock> clock;  // RTP time on the line
  EarlyReports early_reports;
  Timestamp next_report{};
  Timestamp last_sender_reports{};  // when the receivers got theirs
  std::uint32_t overdue_sender_reports = 0;
  KeyFrameRequests key_frames;
  FailureNotices failures;
  LifecycleNotices notices;

  // Counters.
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t restarts = 0;
  std::uint64_t key_frame_requests = 0;
  DropCounters drops;

  [[nodiscard]] bool is_flowing() const noexcept {
    return state == TrackState::live || state == TrackState::stalled;
  }
  [[nodiscard]] bool uses(PortIndex port) const noexcept {
    return ports.rtp == port || ports.rtcp == port;
  }
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
