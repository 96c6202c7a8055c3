#include "core/whip/layers_event.h"

#include <algorithm>

#include "core/signalling/json_writer.h"

namespace runnel::whip {
namespace {

using relay::EncodingStatistics;

/// The draft knows an encoding that flows by its bitrate.
bool is_active(const EncodingStatistics& encoding) {
  return encoding.flowing && encoding.bitrate != 0;
}

void write_encoding(signalling::JsonWriter& json, const EncodingStatistics& encoding) {
  json.begin_object();
  json.text("rid", encoding.rid);
  if (is_active(encoding)) json.number("bitrate", encoding.bitrate);
  if (encoding.picture_size) {
    json.number("width", encoding.picture_size->width);
    json.number("height", encoding.picture_size->height);
  }
  json.end_object();
}

bool is_same_encoding(const EncodingStatistics& before, const EncodingStatistics& now) {
  return before.rid == now.rid && is_active(before) == is_active(now) &&
         before.picture_size == now.picture_size;
}

bool is_same_line(const session::ResourceLayers& before, const session::ResourceLayers& now) {
  return before.section == now.section &&
         std::ranges::equal(before.encodings, now.encodings, is_same_encoding);
}

}  // namespace

std::string layers_data(Layers layers) {
  signalling::JsonWriter json;
  json.begin_object();
  for (const session::ResourceLayers& line : layers) {
    json.begin_array(std::to_string(line.section));
    for (const EncodingStatistics& encoding : line.encodings) write_encoding(json, encoding);
    json.end_array();
  }
  json.end_object();
  return json.take();
}

bool are_alike(Layers before, Layers now) {
  return std::ranges::equal(before, now, is_same_line);
}

bool has_layers(Layers layers) {
  return std::ranges::any_of(layers, [](const auto& line) { return !line.encodings.empty(); });
}

}  // namespace runnel::whip
