// Statistics as JSON, once asked for and at intervals. The names are stable.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

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

void write_size(JsonWriter& json, const std::optional<frames::PictureSize>& size) {
  if (!size) return;
  json.number("width", size->width);
  json.number("height", size->height);
}

void write_encoding(JsonWriter& json, const relay::EncodingStatistics& encoding) {
  json.begin_object();
  if (!encoding.rid.empty()) json.text("rid", encoding.rid);
  json.number("ssrc", encoding.ssrc);
  json.flag("flowing", encoding.flowing);
  write_size(json, encoding.picture_size);
  json.number("bitrate", encoding.bitrate);
  json.number("packets", encoding.packets);
  json.number("lost", encoding.lost);
  json.number("nacked_packets", encoding.nacked_packets);
  json.end_object();
}

void write_encodings(JsonWriter& json, const std::vector<relay::EncodingStatistics>& encodings) {
  if (encodings.empty()) return;
  json.begin_array("encodings");
  for (const relay::EncodingStatistics& encoding : encodings) write_encoding(json, encoding);
  json.end_array();
}

void write_source(JsonWriter& json, const relay::SourceMediumStatistics& medium) {
  json.begin_object();
  json.text("track", medium.name);
  json.flag("live", medium.live);
  json.number("ssrc", medium.ssrc);
  if (medium.source) json.text("address", medium.source->to_string());
  json.number("packets", medium.packets);
  json.number("bytes", medium.bytes);
  json.number("bitrate", medium.bitrate);
  write_size(json, medium.picture_size);
  json.number("lost", medium.lost);
  write_milliseconds(json, "jitter_ms", medium.jitter);
  json.number("restarts", medium.restarts);
  json.number("key_frame_requests", medium.key_frame_requests);
  write_encodings(json, medium.encodings);
  write_drops(json, medium.drops);
  json.end_object();
}

/// For people, such as beside a picture that stands still.
std::string_view withheld_because(relay::Withheld reason) {
  switch (reason) {
    case relay::Withheld::paused:
      return "The subscription is paused.";
    case relay::Withheld::no_destination:
      return "The subscriber cannot be reached at the moment.";
    case relay::Withheld::key_expired:
      return "The master key has protected as much as it may.";
    case relay::Withheld::source_is_silent:
      return "The publisher does not send it at the moment.";
    case relay::Withheld::waiting_for_key_frame:
      break;
  }
  return "The publisher has been asked for a key frame to begin with.";
}

void write_receiver_medium(JsonWriter& json, const relay::ReceiverMediumStatistics& medium) {
  json.begin_object();
  json.number("ssrc", medium.ssrc);
  if (medium.destination) json.text("address", medium.destination->to_string());
  json.number("packets", medium.packets);
  json.number("bytes", medium.bytes);
  json.number("key_frame_requests", medium.key_frame_requests);
  json.number("nacked_packets", medium.nacked_packets);
  json.number("retransmitted_packets", medium.retransmitted_packets);
  if (!medium.rid.empty()) json.text("rid", medium.rid);
  if (!medium.next_rid.empty()) json.text("next_rid", medium.next_rid);
  if (medium.withheld) json.text("withheld", withheld_because(*medium.withheld));
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
