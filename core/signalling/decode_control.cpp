// What a client asks and tells about streams and legs that are there.
#include <algorithm>
#include <cmath>

#include "core/signalling/codec.h"
#include "core/signalling/decode_request.h"
#include "core/signalling/field_types.h"

namespace runnel::signalling {
namespace {

constexpr std::uint64_t kShortestInterval = 200;                       // ms
constexpr std::uint64_t kLongestInterval = 3'600'000;                  // ms
constexpr double kLongestDelay = 60'000;                               // ms
constexpr std::uint64_t kLargestExact = (std::uint64_t{1} << 53) - 1;  // in a JavaScript number

std::optional<std::string> read_prefix(const Field& field) {
  const auto text = field.text({0, kMaxNameLength});
  if (!text || text->empty()) return text ? std::optional<std::string>("") : std::nullopt;
  return read_name(field);
}

std::optional<std::chrono::milliseconds> read_interval(const Field& field) {
  const auto interval = field.milliseconds({0, kLongestInterval});
  if (!interval || interval->count() == 0 ||
      interval->count() >= static_cast<std::int64_t>(kShortestInterval)) {
    return interval;
  }
  field.refuse("is too short; write " + std::to_string(kShortestInterval) +
               " or more, or 0 to stop");
  return std::nullopt;
}

std::optional<std::chrono::microseconds> read_delay(const Field& field) {
  const auto milliseconds = field.real({0, kLongestDelay});
  if (!milliseconds) return std::nullopt;
  return std::chrono::microseconds(std::llround(*milliseconds * 1000));
}

std::optional<Report::Clock> read_clock(const Field& field) {
  const auto timestamp = field.require("rtp_timestamp", "a number of 32 bits");
  const auto time = field.require("unix_us", "microseconds since 1970");
  if (!timestamp || !time) return std::nullopt;
  const auto rtp_timestamp = read_32_bits(*timestamp);
  const auto microseconds = time->integer({0, kLargestExact});
  if (!rtp_timestamp || !microseconds) return std::nullopt;
  return Report::Clock{*rtp_timestamp, static_cast<std::int64_t>(*microseconds)};
}

}  // namespace

Unpublish decode_unpublish(const Field& request) {
  return {require_leg_number(request)};
}

Unsubscribe decode_unsubscribe(const Field& request) {
  return {require_leg_number(request)};
}

Update decode_update(const Field& request) {
  Update update;
  update.leg = require_leg_number(request);
  request.read_into(update.paused, "paused", &Field::boolean);
  request.read_into(update.key_frame, "key_frame", &Field::boolean);
  request.read_into(update.layers, "layers", read_layers);
  request.read_into(update.track, "track", read_name);
  if (!update.track.empty() && !update.layers) {
    request.refuse("'track' says whose 'layers' are meant, which are missing");
  }
  return update;
}

Watch decode_watch(const Field& request) {
  Watch watch;
  request.read_into(watch.prefix, "prefix", read_prefix);
  request.read_into(watch.stop, "stop", &Field::boolean);
  return watch;
}

Stats decode_stats(const Field& request) {
  Stats stats;
  request.read_into(stats.stream, "stream", read_name);
  request.read_into(stats.leg, "leg", read_leg_number);
  request.read_into(stats.interval, "interval_ms", read_interval);
  if (request.find("stream").has_value() == request.find("leg").has_value()) {
    request.refuse("statistics are of a stream or of a leg; write one of 'stream' and 'leg'");
  }
  return stats;
}

Report decode_report(const Field& request) {
  Report report;
  report.leg = require_leg_number(request);
  report.track = require_name(request, "track");
  request.read_into(report.fraction_lost, "fraction_lost",
                    [](const Field& field) { return field.real({0, 1}); });
  request.read_into(report.jitter, "jitter_ms", read_delay);
  request.read_into(report.round_trip, "round_trip_ms", read_delay);
  request.read_into(report.clock, "clock", read_clock);
  return report;
}

}  // namespace runnel::signalling
