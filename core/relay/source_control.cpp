#include "core/relay/source_control.h"

#include "core/relay/track_lifecycle.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::relay {
namespace {

/// One compound packet on its way through the tracks that use its port.
class SourceControl {
 public:
  SourceControl(EngineState& state, const Relay& relay, PortIndex port, const SocketAddress& from)
      : state_(state), relay_(relay), port_(port), from_(from) {}

  void take(const rtp::RtcpPacketView& packet) noexcept {
    switch (static_cast<rtp::RtcpType>(packet.type)) {
      case rtp::RtcpType::sender_report:
        take_sender_report(packet);
        break;
      case rtp::RtcpType::goodbye:
        take_goodbye(packet);
        break;
      case rtp::RtcpType::receiver_report:
        if (const auto ssrc = rtp::sender_ssrc(packet)) for_each_of(*ssrc, [](SourceTrack&) {});
        break;
      default:
        break;
    }
  }
  /// Whether any of it was about a track.
  [[nodiscard]] bool was_known() const noexcept { return known_; }

 private:
  /// The tracks of this port that have the SSRC now. Their RTCP comes from here.
  template <typename Action>
  void for_each_of(std::uint32_t ssrc, Action action) noexcept {
    for (SourceTrack& track : state_.tracks_of(relay_)) {
      if (!track.uses(port_) || track.ssrc.current() != ssrc) continue;
      known_ = true;
      track.rtcp_address = from_;
      action(track);
    }
  }

  void take_sender_report(const rtp::RtcpPacketView& packet) noexcept {
    const auto report = rtp::parse_sender_report(packet);
    if (!report) return;
    bool current = false;
    for_each_of(report->ssrc, [&](SourceTrack& track) {
      current = true;
      take_source_clock(state_, track, report->ntp, report->rtp);
    });
    if (!current) keep_for_later(*report);
  }

  void keep_for_later(const rtp::SenderReport& report) noexcept {
    for (SourceTrack& track : state_.tracks_of(relay_)) {
      const bool unwanted = track.pinned_ssrc && track.pinned_ssrc != report.ssrc;
      if (!track.uses(port_) || unwanted) continue;
      known_ = true;
      track.early_reports.remember({report.ssrc, report.ntp, report.rtp, state_.now, from_});
    }
  }

  void take_goodbye(const rtp::RtcpPacketView& packet) noexcept {
    for (std::size_t i = 0; i < rtp::goodbye_ssrc_count(packet); ++i) {
      for_each_of(rtp::goodbye_ssrc(packet, i),
                  [&](SourceTrack& track) { source_said_goodbye(state_, track); });
    }
  }

  EngineState& state_;
  const Relay& relay_;
  PortIndex port_;
  const SocketAddress& from_;
  bool known_ = false;
};

void count(EngineState& state, const Relay& relay, PortIndex port, DropReason reason) noexcept {
  for (SourceTrack& track : state.tracks_of(relay)) {
    if (!track.uses(port)) continue;
    track.drops.add(reason);
    return;
  }
}

}  // namespace

void take_source_control(EngineState& state, const Relay& relay, PortIndex port,
                         const SocketAddress& from, ByteView clear) noexcept {
  if (!rtp::check_rtcp(clear)) {
    count(state, relay, port, DropReason::malformed);
    return;
  }
  SourceControl control(state, relay, port, from);
  rtp::RtcpReader reader(clear);
  while (const auto packet = reader.next()) control.take(*packet);
  if (!control.was_known()) count(state, relay, port, DropReason::unknown_ssrc);
}

void take_source_clock(EngineState& state, SourceTrack& track, NtpTime ntp, RtpTime rtp) noexcept {
  if (!track.ssrc.current()) return;
  track.reception.on_sender_report(state.now, ntp);
  track.clock = SenderReportClock{ntp, track.line.translate(rtp), state.now};
  track.last_sender_reports = state.now;
  state.control.add(track.index, ControlTask::sender_reports);
}

}  // namespace runnel::relay
