#include "core/sdp/description.h"

namespace runnel::sdp {
namespace {

void append(std::string& out, const Section& section) {
  for (const Line& line : section.lines) {
    out += line.type;
    out += '=';
    out += line.value;
    out += "\r\n";
  }
}

}  // namespace

std::string_view Line::attribute_name() const noexcept {
  return std::string_view(value).substr(0, value.find(':'));
}

std::string_view Line::attribute_value() const noexcept {
  const std::size_t colon = value.find(':');
  return colon == std::string::npos ? std::string_view()
                                    : std::string_view(value).substr(colon + 1);
}

const Line* Section::find(std::string_view name) const noexcept {
  for (const Line& line : lines) {
    if (line.is_attribute() && line.attribute_name() == name) return &line;
  }
  return nullptr;
}

std::optional<std::string_view> Section::value(std::string_view name) const noexcept {
  const Line* line = find(name);
  return line ? std::optional(line->attribute_value()) : std::nullopt;
}

std::vector<const Line*> Section::all(std::string_view name) const {
  std::vector<const Line*> found;
  for (const Line& line : lines) {
    if (line.is_attribute() && line.attribute_name() == name) found.push_back(&line);
  }
  return found;
}

void Section::add(char type, std::string value) {
  lines.push_back({type, std::move(value)});
}

void Section::add_flag(std::string_view name) {
  add('a', std::string(name));
}

void Section::add_attribute(std::string_view name, std::string_view value) {
  std::string text(name);
  text += ':';
  text += value;
  add('a', std::move(text));
}

std::string write(const Description& description) {
  std::string out;
  append(out, description.session);
  for (const MediaSection& section : description.media) {
    out += "m=" + section.media + " " + std::to_string(section.port);
    if (section.port_count) out += "/" + std::to_string(*section.port_count);
    out += " " + section.protocol;
    for (const std::string& format : section.formats) out += " " + format;
    out += "\r\n";
    append(out, section);
  }
  return out;
}

}  // namespace runnel::sdp
