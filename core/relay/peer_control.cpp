#include "core/relay/peer_control.h"

#include "core/relay/encodings.h"
#include "core/relay/peer_input.h"
#include "core/relay/receiver_input.h"
#include "core/relay/retransmissions.h"
#include "core/relay/source_control.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/remb.h"
#include "core/rtp/rtcp_packet.h"
#include "core/rtp/transport_feedback.h"

namespace runnel::relay {
namespace {

/// One compound packet on its way through the legs of a peer.
class PeerControl {
 public:
  PeerControl(EngineState& state, PeerLink& link, const SocketAddress& from)
      : state_(state), link_(link), from_(from) {}

  void take(const rtp::RtcpPacketView& packet) noexcept {
    switch (static_cast<rtp::RtcpType>(packet.type)) {
      case rtp::RtcpType::sender_report:
        take_sender_report(packet);
        take_reports(packet);
        break;
      case rtp::RtcpType::receiver_report:
        take_reports(packet);
        break;
      case rtp::RtcpType::goodbye:
        take_goodbye(packet);
        break;
      case rtp::RtcpType::transport_feedback:
        take_transport_feedback(packet);
        break;
      case rtp::RtcpType::payload_feedback:
        take_payload_feedback(packet);
        break;
      default:
        break;
    }
  }

 private:
  /// The encoding that the peer sends under this SSRC now; nullptr: none.
  SourceTrack* find_source(std::uint32_t ssrc) noexcept {
    for (const std::uint32_t relay : link_.relays) {
      for (SourceTrack& track : state_.encodings_of(state_.relays[relay])) {
        if (track.ssrc.current() == ssrc) return &track;
      }
    }
    return nullptr;
  }

  /// The medium that the peer gets under this SSRC; nullptr: none.
  ReceiverTrack* find_receiver(std::uint32_t ssrc) noexcept {
    for (const std::uint32_t leg : link_.legs) {
      for (ReceiverTrack& receiver : state_.receivers_of(state_.legs[leg])) {
        if (receiver.ssrc == ssrc) return &receiver;
      }
    }
    return nullptr;
  }

  void take_sender_report(const rtp::RtcpPacketView& packet) noexcept {
    const auto report = rtp::parse_sender_report(packet);
    if (!report) return;
    if (SourceTrack* track = find_source(report->ssrc)) {
      return take_source_clock(state_, *track, report->ntp, report->rtp);
    }
    // Its first packet may still be on its way.
    for (const std::uint32_t relay : link_.relays) {
      for (SourceTrack& track : state_.encodings_of(state_.relays[relay])) {
        track.early_reports.remember({report->ssrc, report->ntp, report->rtp, state_.now, from_});
      }
    }
  }

  /// Who leaves says so by DTLS; this is about one encoding.
  void take_goodbye(const rtp::RtcpPacketView& packet) noexcept {
    for (std::size_t i = 0; i < rtp::goodbye_ssrc_count(packet); ++i) {
      if (SourceTrack* track = find_source(rtp::goodbye_ssrc(packet, i))) {
        source_said_goodbye(state_, *track);
        if (state_.tracks[track->first].encodings.size() > 1) reconsider_encodings(state_, *track);
      }
    }
  }

  void take_reports(const rtp::RtcpPacketView& packet) noexcept {
    for (std::size_t i = 0; i < rtp::report_block_count(packet); ++i) {
      const rtp::ReportBlock block = rtp::report_block(packet, i);
      ReceiverTrack* receiver = find_receiver(block.ssrc);
      if (receiver == nullptr) continue;
      receiver->reported = state_.now;
      take_report(*receiver, report_in(state_, *receiver, block));
    }
  }

  void take_transport_feedback(const rtp::RtcpPacketView& packet) noexcept {
    if (packet.count == rtp::kTransportFeedbackNack) {
      const auto ssrc = rtp::feedback_media_ssrc(packet);
      if (ReceiverTrack* receiver = ssrc ? find_receiver(*ssrc) : nullptr) {
        take_nack(state_, *receiver, packet);
      }
    } else if (packet.count == rtp::kTransportFeedbackTransportWide) {
      if (const auto feedback = rtp::TransportFeedbackReader::parse(packet)) {
        ++link_.transport_feedback;
      } else {
        drops_of(state_, link_).add(DropReason::malformed);
      }
    }
  }

  void take_payload_feedback(const rtp::RtcpPacketView& packet) noexcept {
    switch (packet.count) {
      case rtp::kPayloadFeedbackPli:
        if (const auto ssrc = rtp::feedback_media_ssrc(packet)) take_key_frame_request(*ssrc);
        break;
      case rtp::kPayloadFeedbackFir:
        for (std::size_t i = 0; i < rtp::fir_entry_count(packet); ++i) {
          take_key_frame_request(rtp::fir_entry(packet, i).ssrc);
        }
        break;
      case rtp::kPayloadFeedbackApplication:
        if (const auto remb = rtp::RembView::parse(packet)) {
          link_.estimated_bitrate = remb->bitrate();
        }
        break;
      default:
        break;
    }
  }

  void take_key_frame_request(std::uint32_t ssrc) noexcept {
    if (ReceiverTrack* receiver = find_receiver(ssrc)) want_key_frame(state_, *receiver);
  }

  EngineState& state_;
  PeerLink& link_;
  const SocketAddress& from_;
};

}  // namespace

void take_peer_control(EngineState& state, PeerLink& link, const SocketAddress& from,
                       ByteView clear) noexcept {
  state.transports->note_media(state.now, link.peer);
  if (!rtp::check_rtcp(clear)) {
    drops_of(state, link).add(DropReason::malformed);
    return;
  }
  PeerControl control(state, link, from);
  rtp::RtcpReader reader(clear);
  while (const auto packet = reader.next()) control.take(*packet);
}

}  // namespace runnel::relay
