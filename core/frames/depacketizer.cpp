#include "core/frames/depacketizer.h"

#include "core/frames/av1_obu.h"
#include "core/frames/nal_unit.h"
#include "core/frames/vp8_descriptor.h"
#include "core/frames/vp9_descriptor.h"

namespace runnel::frames {
namespace {

void append_bytes(std::vector<std::uint8_t>& frame, ByteView bytes) {
  frame.insert(frame.end(), bytes.begin(), bytes.end());
}

void append_nal_unit(std::vector<std::uint8_t>& frame, ByteView unit) {
  append_bytes(frame, kStartCode);
  append_bytes(frame, unit);
}

}  // namespace

void Depacketizer::begin() noexcept {
  empty_ = true;
  unit_open_ = false;
}

bool Depacketizer::append(ByteView payload, std::vector<std::uint8_t>& frame) {
  const bool is_first = empty_;
  empty_ = false;
  switch (format_) {
    case Format::vp8: {
      const auto descriptor = parse_vp8(payload);
      if (!descriptor || descriptor->begins_frame != is_first) return false;
      append_bytes(frame, descriptor->payload);
      return true;
    }
    case Format::vp9: {
      const auto descriptor = parse_vp9(payload);
      if (!descriptor || descriptor->begins_picture != is_first) return false;
      append_bytes(frame, descriptor->payload);
      return true;
    }
    case Format::h264:
    case Format::h265:
      return append_nal_units(payload, frame);
    case Format::av1:
      return append_obus(payload, frame);
    default:
      append_bytes(frame, payload);
      return true;
  }
}

bool Depacketizer::finish(const std::vector<std::uint8_t>& frame) const noexcept {
  return !unit_open_ && !frame.empty();
}

bool Depacketizer::append_nal_units(ByteView payload, std::vector<std::uint8_t>& frame) {
  const NalSyntax& syntax = nal_syntax(format_);
  if (payload.size() < syntax.header_size) return false;
  const std::uint8_t type = syntax.type(payload);
  if (type == syntax.fragment_type) return append_fragment(payload, frame);
  if (unit_open_) return false;
  if (type < syntax.first_payload_type) {
    append_nal_unit(frame, payload);
    return true;
  }
  if (type != syntax.aggregation_type) return false;

  AggregateReader units(payload.subspan(syntax.header_size));
  bool any = false;
  while (const auto unit = units.next()) {
    if (unit->size() < syntax.header_size) return false;
    if (syntax.type(*unit) >= syntax.first_payload_type) return false;
    append_nal_unit(frame, *unit);
    any = true;
  }
  return any && !units.malformed();
}

bool Depacketizer::append_fragment(ByteView payload, std::vector<std::uint8_t>& frame) {
  const NalSyntax& syntax = nal_syntax(format_);
  if (payload.size() < syntax.header_size + 2) return false;
  const std::uint8_t header = payload[syntax.header_size];
  const std::uint8_t type = header & syntax.fragment_type_mask;
  const bool starts = (header & kFragmentStart) != 0;
  if (starts == unit_open_ || type >= syntax.first_payload_type) return false;
  if (!starts && type != unit_type_) return false;

  if (starts) {
    append_bytes(frame, kStartCode);
    frame.push_back(syntax.with_type(payload[0], type));
    append_bytes(frame, payload.subspan(1, syntax.header_size - 1));
  }
  append_bytes(frame, payload.subspan(syntax.header_size + 1));
  unit_type_ = type;
  unit_open_ = (header & kFragmentEnd) == 0;
  return true;
}

bool Depacketizer::append_obus(ByteView payload, std::vector<std::uint8_t>& frame) {
  ObuElementReader elements(payload);
  if (elements.malformed() || elements.continues() != unit_open_) return false;
  while (const auto element = elements.next()) {
    if (elements.malformed()) return false;
    if (!unit_open_) unit_start_ = frame.size();
    append_bytes(frame, *element);
    unit_open_ = elements.done() && elements.unfinished();
    if (!unit_open_ && !close_obu(frame)) return false;
  }
  return !elements.malformed();
}

/// Gives the OBU at the end of the frame its size field, if it came without.
bool Depacketizer::close_obu(std::vector<std::uint8_t>& frame) {
  const ByteView element = ByteView(frame).subspan(unit_start_);
  const auto obu = parse_obu_element(element);
  if (!obu) return false;
  if (!travels(obu->type())) {
    frame.resize(unit_start_);
    return true;
  }
  if ((element[0] & kObuHasSize) != 0) {
    const auto size = read_leb128(element.subspan(obu->header_size));
    return size && obu->header_size + size->size + size->value == element.size();
  }
  std::uint8_t size[5];
  const std::size_t size_size = write_leb128(size, static_cast<std::uint32_t>(obu->payload.size()));
  frame[unit_start_] |= kObuHasSize;
  const auto behind_header = static_cast<std::ptrdiff_t>(unit_start_ + obu->header_size);
  frame.insert(frame.begin() + behind_header, size, size + size_size);
  return true;
}

}  // namespace runnel::frames
