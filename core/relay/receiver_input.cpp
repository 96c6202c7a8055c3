#include "core/relay/receiver_input.h"

#include <algorithm>

#include "core/relay/latching.h"
#include "core/relay/media_clock.h"
#include "core/relay/retransmissions.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

/// Whether we sent it ourselves, and somebody sends it back (RFC 3550 §8.2): where both directions
/// share a key, it is authentic.
bool is_our_own(EngineState& state, const ReceiverLegState& leg, std::uint32_t ssrc) noexcept {
  return state.ssrcs.is_our_own(ssrc) || state.is_pinned(ssrc, leg.reply_keys) ||
         std::ranges::any_of(state.receivers_of(leg), [ssrc](const ReceiverTrack& receiver) {
           return receiver.ssrc == ssrc;
         });
}

bool says_goodbye(ByteView compound) noexcept {
  rtp::RtcpReader reader(compound);
  while (const auto packet = reader.next()) {
    if (static_cast<rtp::RtcpType>(packet->type) == rtp::RtcpType::goodbye) return true;
  }
  return false;
}

/// Whoever reports from where a receiver is, is that receiver, even while it has nothing to say of
/// our packets.
void note_sign_of_life(EngineState& state, const ReceiverLegState& leg,
                       const SocketAddress& from) noexcept {
  for (ReceiverTrack& receiver : state.receivers_of(leg)) {
    const bool is_there = receiver.rtcp_destination == from || receiver.rtp_destination == from;
    if (!is_there) continue;
    receiver.refused.reset();
    if (receiver.reported) receiver.reported = state.now;
  }
}

/// One compound packet on its way through the receivers of a leg.
class ReceiverControl {
 public:
  ReceiverControl(EngineState& state, ReceiverLegState& leg, PortIndex port,
                  const SocketAddress& from)
      : state_(state), leg_(leg), port_(port), from_(from) {}

  void take(const rtp::RtcpPacketView& packet) noexcept {
    switch (static_cast<rtp::RtcpType>(packet.type)) {
      case rtp::RtcpType::sender_report:
      case rtp::RtcpType::receiver_report:
        take_reports(packet);
        break;
      case rtp::RtcpType::transport_feedback:
        if (packet.count == rtp::kTransportFeedbackNack) take_lost(packet);
        break;
      case rtp::RtcpType::payload_feedback:
        if (packet.count == rtp::kPayloadFeedbackPli) take_picture_loss(packet);
        if (packet.count == rtp::kPayloadFeedbackFir) take_intra_requests(packet);
        break;
      case rtp::RtcpType::goodbye:
        take_goodbye(packet);
        break;
      default:
        break;
    }
  }
  /// Whether it spoke of SSRCs, and none of them was ours.
  [[nodiscard]] bool was_about_others() const noexcept { return others_ && !ours_; }

 private:
  ReceiverTrack* find(std::uint32_t ssrc) noexcept {
    for (ReceiverTrack& receiver : state_.receivers_of(leg_)) {
      if (receiver.ssrc != ssrc) continue;
      ours_ = true;
      if (!receiver.rtp_destination) return &receiver;
      receiver.refused.reset();
      receiver.reported = state_.now;
      receiver.said_goodbye = false;
      return &receiver;
    }
    others_ = true;
    return nullptr;
  }

  void take_reports(const rtp::RtcpPacketView& packet) noexcept {
    const auto reporter = rtp::sender_ssrc(packet);
    for (std::size_t i = 0; i < rtp::report_block_count(packet); ++i) {
      const rtp::ReportBlock block = rtp::report_block(packet, i);
      ReceiverTrack* receiver = find(block.ssrc);
      if (receiver == nullptr) continue;
      receiver->reporter = reporter;
      take_report(*receiver, report_in(state_, *receiver, block));
    }
  }

  void take_lost(const rtp::RtcpPacketView& packet) noexcept {
    const auto ssrc = rtp::feedback_media_ssrc(packet);
    if (ReceiverTrack* receiver = ssrc ? find(*ssrc) : nullptr) {
      take_nack(state_, *receiver, packet);
    }
  }

  void take_picture_loss(const rtp::RtcpPacketView& packet) noexcept {
    if (const auto ssrc = rtp::feedback_media_ssrc(packet)) take_key_frame_request(*ssrc);
  }

  void take_intra_requests(const rtp::RtcpPacketView& packet) noexcept {
    for (std::size_t i = 0; i < rtp::fir_entry_count(packet); ++i) {
      take_key_frame_request(rtp::fir_entry(packet, i).ssrc);
    }
  }

  void take_key_frame_request(std::uint32_t ssrc) noexcept {
    if (ReceiverTrack* receiver = find(ssrc)) want_key_frame(state_, *receiver);
  }

  /// A BYE names the reporter, of whom we know which tracks it reported on. One who never reported
  /// is known by its address, and leaves with everything that it gets through this port.
  void take_goodbye(const rtp::RtcpPacketView& packet) noexcept {
    for (std::size_t i = 0; i < rtp::goodbye_ssrc_count(packet); ++i) {
      const std::uint32_t ssrc = rtp::goodbye_ssrc(packet, i);
      bool reported = false;
      for (ReceiverTrack& receiver : state_.receivers_of(leg_)) {
        if (receiver.reporter != ssrc) continue;
        reported = true;
        receiver_said_goodbye(state_, receiver);
      }
      if (!reported) leave_all();
    }
  }

  void leave_all() noexcept {
    for (ReceiverTrack& receiver : state_.receivers_of(leg_)) {
      const bool is_there = receiver.rtcp_destination == from_ || receiver.rtp_destination == from_;
      if (is_there && receiver.uses(port_) && !receiver.reporter) {
        receiver_said_goodbye(state_, receiver);
      }
    }
  }

  EngineState& state_;
  ReceiverLegState& leg_;
  PortIndex port_;
  const SocketAddress& from_;
  bool ours_ = false;
  bool others_ = false;
};

}  // namespace

void take_receiver_media(EngineState& state, ReceiverLegState& leg, PortIndex port,
                         const SocketAddress& from, ByteView clear) noexcept {
  const auto packet = rtp::RtpPacketView::parse(clear);
  if (!packet) {
    receiver_on(state, leg, port).drops.add(DropReason::malformed);
    return;
  }
  if (is_our_own(state, leg, packet->ssrc())) {
    receiver_on(state, leg, port).drops.add(DropReason::unknown_ssrc);
    return;
  }
  latch_waiting(state, leg, port, from, std::nullopt);
}

void take_receiver_control(EngineState& state, ReceiverLegState& leg, PortIndex port,
                           const SocketAddress& from, ByteView clear) noexcept {
  if (!rtp::check_rtcp(clear)) {
    receiver_on(state, leg, port).drops.add(DropReason::malformed);
    return;
  }
  const std::uint32_t reporter = load_be32(clear.data() + 4);
  if (is_our_own(state, leg, reporter)) {
    receiver_on(state, leg, port).drops.add(DropReason::unknown_ssrc);
    return;
  }
  // Whoever leaves is not to be latched by that.
  if (!says_goodbye(clear)) latch_waiting(state, leg, port, from, reporter);
  note_sign_of_life(state, leg, from);
  ReceiverControl control(state, leg, port, from);
  rtp::RtcpReader reader(clear);
  while (const auto packet = reader.next()) control.take(*packet);
  if (control.was_about_others()) {
    receiver_on(state, leg, port).drops.add(DropReason::unknown_ssrc);
  }
}

ReceiverReport report_in(const EngineState& state, const ReceiverTrack& receiver,
                         const rtp::ReportBlock& block) noexcept {
  const std::uint32_t clock_rate = state.tracks[receiver.source].codec.clock_rate;
  ReceiverReport report;
  report.fraction_lost = block.fraction_lost / 256.0;
  report.jitter =
      Duration(static_cast<std::int64_t>(std::uint64_t{block.jitter} * 1'000'000'000 / clock_rate));
  if (const auto sent = receiver.reports.find(block.last_sender_report)) {
    const Duration away = state.now - *sent - from_report_units(block.delay_since_last_report);
    report.round_trip = std::max(away, Duration::zero());
  }
  return report;
}

void take_report(ReceiverTrack& receiver, const ReceiverReport& report) noexcept {
  if (report.fraction_lost) receiver.fraction_lost = report.fraction_lost;
  if (report.jitter) receiver.jitter = report.jitter;
  if (report.round_trip) receiver.round_trip = report.round_trip;
}

void want_key_frame(EngineState& state, ReceiverTrack& receiver) noexcept {
  ++receiver.key_frame_requests;
  request_key_frame(state, state.tracks[receiver.source]);
  if (receiver.next_source) request_key_frame(state, state.tracks[*receiver.next_source]);
}

ReceiverTrack& receiver_on(EngineState& state, const ReceiverLegState& leg,
                           PortIndex port) noexcept {
  const auto receivers = state.receivers_of(leg);
  for (ReceiverTrack& receiver : receivers) {
    if (receiver.uses(port)) return receiver;
  }
  return receivers[0];
}

}  // namespace runnel::relay
