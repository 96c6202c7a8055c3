#include "core/relay/latching.h"

#include <algorithm>

#include "core/relay/destination.h"
#include "core/relay/outgoing_identity.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

/// Reports may be overtaken by the BYE that follows them: for so long they are no return.
constexpr Duration kGoodbyeGrace = std::chrono::seconds(1);

/// RFC 3550 §6.3.5: who has not reported for five intervals, of five seconds at least, is gone.
constexpr Duration kReportTimeout = std::chrono::seconds(25);

struct Destination {
  SocketAddress rtp;
  SocketAddress rtcp;
};

/// Without rtcp-mux the two addresses follow from each other by the convention of RFC 3550 §11.
Destination shown_by(const ReceiverTrack& receiver, PortIndex port,
                     const SocketAddress& from) noexcept {
  Destination destination{from, from};
  if (receiver.ports.rtcp == port) {
    destination.rtp.port = static_cast<std::uint16_t>(from.port - 1);
  } else if (receiver.ports.rtcp) {
    destination.rtcp.port = static_cast<std::uint16_t>(from.port + 1);
  }
  return destination;
}

bool has_left(EngineState& state, const ReceiverLegState& leg, const ReceiverTrack& receiver,
              const SocketAddress& rtp) noexcept {
  if (!receiver.departure || receiver.departure->from != rtp) return false;
  if (state.now - receiver.departure->when < kGoodbyeGrace) return true;
  return std::ranges::any_of(state.receivers_of(leg), [&](const ReceiverTrack& other) {
    return other.rtp_destination == rtp;
  });
}

void latch(EngineState& state, ReceiverTrack& receiver, const Destination& destination) noexcept {
  if (!place_receiver(state, receiver, destination.rtp, destination.rtcp)) return;
  receiver.said_goodbye = false;
  receiver.departure.reset();
  receiver.reporter.reset();
  receiver.reported.reset();
  state.say(ReceiverLatched{receiver.id, destination.rtp});
  request_key_frame(state, state.tracks[receiver.source]);
}

void depart(EngineState& state, ReceiverTrack& receiver, LeaveReason reason) noexcept {
  receiver.reporter.reset();
  receiver.reported.reset();
  state.say(ReceiverLeft{receiver.id, reason});
  if (!state.legs[receiver.leg].latches) return;
  displace_receiver(state, receiver);
  end_identity(state, receiver);
}

std::optional<LeaveReason> reason_to_release(const EngineState& state, const SourceTrack& track,
                                             const ReceiverTrack& receiver) noexcept {
  const EngineLimits& limits = state.limits;
  // Who gets nothing need not report.
  const auto silent_since = std::max(receiver.reported.value_or(state.now), track.live_since);
  if (state.now - silent_since >= std::max(limits.hold, kReportTimeout)) {
    return LeaveReason::silence;
  }
  const bool is_refused = receiver.refused && state.now - *receiver.refused <= limits.stall;
  if (is_refused && *receiver.refused - receiver.refused_since >= limits.stall) {
    return LeaveReason::unreachable;
  }
  return std::nullopt;
}

}  // namespace

bool waits_for_address(const EngineState& state, const ReceiverLegState& leg,
                       PortIndex port) noexcept {
  if (!leg.latches) return false;
  return std::ranges::any_of(state.receivers_of(leg), [port](const ReceiverTrack& receiver) {
    return receiver.uses(port) && !receiver.rtp_destination;
  });
}

void latch_waiting(EngineState& state, ReceiverLegState& leg, PortIndex port,
                   const SocketAddress& from, std::optional<std::uint32_t> reporter) noexcept {
  if (!leg.latches) return;
  for (ReceiverTrack& receiver : state.receivers_of(leg)) {
    if (!receiver.uses(port) || receiver.rtp_destination) continue;
    if (receiver.reply_ssrc && receiver.reply_ssrc != reporter) continue;
    const Destination destination = shown_by(receiver, port, from);
    if (!has_left(state, leg, receiver, destination.rtp)) latch(state, receiver, destination);
  }
}

void release_lost_receivers(EngineState& state, const SourceTrack& track) noexcept {
  for (const std::uint32_t index : track.receivers) {
    ReceiverTrack& receiver = state.receivers[index];
    const bool is_latched = receiver.rtp_destination && state.legs[receiver.leg].latches;
    if (!is_latched || receiver.paused) continue;
    if (const auto reason = reason_to_release(state, track, receiver)) {
      depart(state, receiver, *reason);
    }
  }
}

void receiver_said_goodbye(EngineState& state, ReceiverTrack& receiver) noexcept {
  if (receiver.said_goodbye || !receiver.rtp_destination) return;
  receiver.said_goodbye = true;
  receiver.departure = Departure{*receiver.rtp_destination, state.now};
  depart(state, receiver, LeaveReason::goodbye);
}

}  // namespace runnel::relay
