// Events as JSON: what a client is told without having asked.
#include "core/signalling/encode_answer.h"

namespace runnel::signalling {
namespace {

std::string_view to_string(StreamEvent::What what) noexcept {
  switch (what) {
    case StreamEvent::What::started:
      return "started";
    case StreamEvent::What::stalled:
      return "stalled";
    case StreamEvent::What::resumed:
      return "resumed";
    case StreamEvent::What::ended:
      return "ended";
    case StreamEvent::What::tracks:
      return "tracks";
    case StreamEvent::What::subscribers:
      return "subscribers";
  }
  return "";
}

std::string_view to_string(LegEndReason reason) noexcept {
  switch (reason) {
    case LegEndReason::stream_ended:
      return "stream_ended";
    case LegEndReason::taken_over:
      return "taken_over";
    case LegEndReason::tracks_changed:
      return "tracks_changed";
    case LegEndReason::goodbye:
      return "goodbye";
    case LegEndReason::stopped:
      return "stopped";
    case LegEndReason::key_expired:
      return "key_expired";
    case LegEndReason::refused:
      return "refused";
    case LegEndReason::peer_ended:
      return "peer_ended";
    case LegEndReason::shutting_down:
      return "shutting_down";
  }
  return "";
}

std::string_view to_string(PeerState::What what) noexcept {
  switch (what) {
    case PeerState::What::connected:
      return "connected";
    case PeerState::What::moved:
      return "moved";
    case PeerState::What::stalled:
      return "stalled";
    case PeerState::What::resumed:
      return "resumed";
    case PeerState::What::ended:
      return "ended";
  }
  return "";
}

}  // namespace

std::string_view to_string(PeerEndReason reason) noexcept {
  switch (reason) {
    case PeerEndReason::never_connected:
      return "never_connected";
    case PeerEndReason::handshake_failed:
      return "handshake_failed";
    case PeerEndReason::wrong_fingerprint:
      return "wrong_fingerprint";
    case PeerEndReason::no_common_profile:
      return "no_common_profile";
    case PeerEndReason::closed:
      return "closed";
    case PeerEndReason::consent_lost:
      return "consent_lost";
    case PeerEndReason::no_legs:
      return "no_legs";
  }
  return "";
}

void write_members(JsonWriter& json, const StreamEvent& event) {
  json.text("event", "stream");
  json.text("what", to_string(event.what));
  write_members(json, event.stream);
}

void write_members(JsonWriter& json, const LegEnded& event) {
  json.text("event", "leg_ended");
  json.number("leg", event.leg);
  json.text("reason", to_string(event.reason));
}

void write_members(JsonWriter& json, const LegState& event) {
  json.text("event", "leg_state");
  json.number("leg", event.leg);
  json.text("state", to_string(event.state));
}

void write_members(JsonWriter& json, const KeyFrameWanted& event) {
  json.text("event", "key_frame");
  json.number("leg", event.leg);
  json.text("track", event.track);
}

void write_members(JsonWriter& json, const ReceptionReport& event) {
  json.text("event", "report");
  json.number("leg", event.leg);
  json.text("track", event.track);
  json.number("fraction_lost", event.fraction_lost);
  json.number("lost", event.lost);
  json.number("jitter_ms", static_cast<double>(event.jitter.count()) / 1000);
}

void write_members(JsonWriter& json, const ClockReport& event) {
  json.text("event", "clock");
  json.number("leg", event.leg);
  json.text("track", event.track);
  json.number("rtp_timestamp", event.rtp_timestamp);
  json.number("unix_us", event.unix_microseconds);
}

void write_members(JsonWriter& json, const StatsEvent& event) {
  json.text("event", "stats");
  write_members(json, event.stats);
}

void write_members(JsonWriter& json, const SlowReader& event) {
  json.text("event", "slow_reader");
  json.number("leg", event.leg);
  json.number("dropped_packets", event.dropped_packets);
}

void write_members(JsonWriter& json, const OfferMade& event) {
  json.text("event", "offer");
  json.number("peer", event.peer);
  json.number("generation", event.generation);
  json.text("sdp", event.sdp);
}

void write_members(JsonWriter& json, const PeerState& event) {
  json.text("event", "peer_state");
  json.number("peer", event.peer);
  json.text("state", to_string(event.what));
  if (event.reason) json.text("reason", to_string(*event.reason));
}

}  // namespace runnel::signalling
