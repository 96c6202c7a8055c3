// Statistics as JSON, once asked for and at intervals. The names are stable.
#include <chrono>

#include "core/signalling/encode_answer.h"

namespace runnel::signalling {
namespace {

void write_milliseconds(JsonWriter& json, std::string_view name, Duration duration) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration);
  json.number(name, static_cast<double>(microseconds.count()) / 1000);
}

void write_drops(JsonWriter& json, const DropCounters& drops) {
  json.begin_object("drops");
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    const auto reason = static_cast<DropReason>(i);
    if (drops[reason] != 0) json.number(runnel::to_string(reason), drops[reason]);
  }
  json.end_object();
}

void write_source(JsonWriter& json, const relay::SourceMediumStatistics& medium) {
  json.begin_object();
  json.text("track", medium.name);
  json.flag("live", medium.live);
  json.number("ssrc", medium.ssrc);
  if (medium.source) json.text("address", medium.source->to_string());
  json.number("packets", medium.packets);
  json.number("bytes", medium.bytes);
  json.number("lost", medium.lost);
  write_milliseconds(json, "jitter_ms", medium.jitter);
  json.number("restarts", medium.restarts);
  json.number("key_frame_requests", medium.key_frame_requests);
  write_drops(json, medium.drops);
  json.end_object();
}

void write_receiver_medium(JsonWriter& json, const relay::ReceiverMediumStatistics& medium) {
  json.begin_object();
  json.number("ssrc", medium.ssrc);
  if (medium.destination) json.text("address", medium.destination->to_string());
  json.number("packets", medium.packets);
  json.number("bytes", medium.bytes);
  json.number("key_frame_requests", medium.key_frame_requests);
  json.number("nacked_packets", medium.nacked_packets);
  if (medium.fraction_lost) json.number("fraction_lost", *medium.fraction_lost);
  if (medium.round_trip) write_milliseconds(json, "round_trip_ms", *medium.round_trip);
  if (medium.jitter) write_milliseconds(json, "jitter_ms", *medium.jitter);
  write_drops(json, medium.drops);
  json.end_object();
}

void write_receiver(JsonWriter& json, const relay::ReceiverStatistics& receiver) {
  json.begin_object();
  json.number("receiver", receiver.receiver);
  json.flag("paused", receiver.paused);
  json.begin_array("tracks");
  for (const auto& medium : receiver.media) write_receiver_medium(json, medium);
  json.end_array();
  json.end_object();
}

}  // namespace

void write_members(JsonWriter& json, const StatsAnswer& answer) {
  const relay::RelayStatistics& statistics = answer.statistics;
  json.text("stream", statistics.stream);
  json.text("state", to_string(answer.state));
  if (answer.leg) json.number("leg", *answer.leg);
  json.begin_array("from");
  for (const auto& medium : statistics.from) write_source(json, medium);
  json.end_array();
  json.begin_array("to");
  for (const auto& receiver : statistics.to) write_receiver(json, receiver);
  json.end_array();
  json.begin_object("departed");
  json.number("packets", statistics.departed.packets);
  json.number("bytes", statistics.departed.bytes);
  write_drops(json, statistics.departed.drops);
  json.end_object();
}

}  // namespace runnel::signalling
