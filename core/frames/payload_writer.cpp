#include "core/frames/payload_writer.h"

#include <algorithm>

#include "core/base/byte_writer.h"
#include "core/frames/vp8_descriptor.h"
#include "core/frames/vp9_descriptor.h"

namespace runnel::frames {
namespace {

constexpr std::uint16_t kPictureIdMask = 0x7fff;

bool is_whole_stream(const NalSyntax& syntax, ByteView frame) noexcept {
  AnnexBReader units(frame);
  bool any = false;
  while (const auto unit = units.next()) {
    if (unit->size() < syntax.header_size) return false;
    if (syntax.type(*unit) >= syntax.first_payload_type) return false;
    any = true;
  }
  return any;
}

bool is_whole_temporal_unit(ByteView frame) noexcept {
  ObuReader obus(frame);
  while (!obus.done()) {
    if (!obus.next()) return false;
  }
  return true;
}

/// The header of an aggregation packet (RFC 6184 §5.7.1, RFC 7798 §4.4.2): of what is in it, the
/// highest NRI, or the lowest layer and temporal id.
class AggregateHeader {
 public:
  explicit AggregateHeader(const NalSyntax& syntax) noexcept : syntax_(syntax) {}

  void add(ByteView unit) noexcept {
    forbidden_ |= unit[0] & 0x80;
    if (syntax_.h265) {
      const std::uint16_t header = load_be16(unit.data());
      layer_ = std::min(layer_, (header >> 3) & 0x3f);
      temporal_id_ = std::min(temporal_id_, header & 0x07);
    } else {
      reference_ = std::max(reference_, unit[0] & 0x60);
    }
  }
  void write(ByteWriter& writer) const noexcept {
    if (syntax_.h265) {
      writer.u16(static_cast<std::uint16_t>(forbidden_ << 8 | syntax_.aggregation_type << 9 |
                                            layer_ << 3 | temporal_id_));
    } else {
      writer.u8(static_cast<std::uint8_t>(forbidden_ | reference_ | syntax_.aggregation_type));
    }
  }

 private:
  const NalSyntax& syntax_;
  int forbidden_ = 0;
  int reference_ = 0;
  int layer_ = 0x3f;
  int temporal_id_ = 0x07;
};

}  // namespace

std::string_view to_string(PacketizerError error) noexcept {
  switch (error) {
    case PacketizerError::empty_frame:
      return "empty_frame";
    case PacketizerError::malformed_frame:
      return "malformed_frame";
    case PacketizerError::too_long:
      return "too_long";
  }
  return "unknown";
}

PayloadWriter::PayloadWriter(Format format, std::uint16_t first_picture_id) noexcept
    : format_(format), next_picture_id_(first_picture_id & kPictureIdMask) {}

std::expected<void, PacketizerError> PayloadWriter::begin(ByteView frame, bool key_frame,
                                                          std::size_t max_size) noexcept {
  done_ = true;
  if (frame.empty()) return std::unexpected(PacketizerError::empty_frame);
  first_ = true;
  key_frame_ = key_frame;
  max_size_ = max_size;
  switch (format_) {
    case Format::vp8:
    case Format::vp9:
      picture_id_ = next_picture_id_;
      next_picture_id_ = (next_picture_id_ + 1) & kPictureIdMask;
      break;
    case Format::h264:
    case Format::h265:
      if (!is_whole_stream(nal_syntax(format_), frame)) {
        return std::unexpected(PacketizerError::malformed_frame);
      }
      nal_units_ = AnnexBReader(frame);
      next_nal_unit();
      return {};
    case Format::av1:
      if (!is_whole_temporal_unit(frame)) return std::unexpected(PacketizerError::malformed_frame);
      obus_ = ObuReader(frame);
      next_obu();
      if (done_) return std::unexpected(PacketizerError::empty_frame);
      return {};
    default:
      if (frame.size() > max_size) return std::unexpected(PacketizerError::too_long);
  }
  rest_ = frame;
  done_ = false;
  return {};
}

std::size_t PayloadWriter::write(ByteSpan out) noexcept {
  out = out.first(max_size_);
  std::size_t size = 0;
  switch (format_) {
    case Format::vp8:
      size = write_vp8(out);
      break;
    case Format::vp9:
      size = write_vp9(out);
      break;
    case Format::h264:
    case Format::h265:
      size = write_nal_units(out);
      break;
    case Format::av1:
      size = write_obus(out);
      break;
    default:
      size = write_rest(out);
  }
  first_ = false;
  return size;
}

std::size_t PayloadWriter::write_vp8(ByteSpan out) noexcept {
  write_vp8_descriptor(out.data(), first_, picture_id_);
  return kVp8DescriptorSize + write_rest(out.subspan(kVp8DescriptorSize));
}

std::size_t PayloadWriter::write_vp9(ByteSpan out) noexcept {
  const std::size_t size = kVp9DescriptorSize + write_rest(out.subspan(kVp9DescriptorSize));
  write_vp9_descriptor(out.data(),
                       {.begins_frame = first_, .ends_frame = done_, .key_frame = key_frame_},
                       picture_id_);
  return size;
}

/// As much as fits of a frame without inner units.
std::size_t PayloadWriter::write_rest(ByteSpan out) noexcept {
  const std::size_t size = std::min(rest_.size(), out.size());
  copy_bytes(out, rest_.first(size));
  rest_ = rest_.subspan(size);
  done_ = rest_.empty();
  return size;
}

std::size_t PayloadWriter::write_nal_units(ByteSpan out) noexcept {
  if (nal_unit_.size() > out.size()) return write_fragment(out);
  const std::size_t count = count_to_aggregate();
  if (count > 1) return write_aggregate(out, count);
  const std::size_t size = nal_unit_.size();
  copy_bytes(out, nal_unit_);
  next_nal_unit();
  return size;
}

std::size_t PayloadWriter::write_fragment(ByteSpan out) noexcept {
  const NalSyntax& syntax = nal_syntax(format_);
  const bool starts = offset_ == 0;
  if (starts) offset_ = syntax.header_size;
  const std::size_t space = out.size() - syntax.header_size - 1;
  const std::size_t size = std::min(nal_unit_.size() - offset_, space);
  const bool ends = offset_ + size == nal_unit_.size();

  ByteWriter writer(out);
  writer.u8(syntax.with_type(nal_unit_[0], syntax.fragment_type));
  writer.bytes(nal_unit_.subspan(1, syntax.header_size - 1));
  writer.u8(static_cast<std::uint8_t>(syntax.type(nal_unit_) | (starts ? kFragmentStart : 0) |
                                      (ends ? kFragmentEnd : 0)));
  writer.bytes(nal_unit_.subspan(offset_, size));
  offset_ += size;
  if (ends) next_nal_unit();
  return writer.size();
}

/// How many NAL units without slices follow one another from here and fit into one packet.
std::size_t PayloadWriter::count_to_aggregate() const noexcept {
  const NalSyntax& syntax = nal_syntax(format_);
  AnnexBReader units = nal_units_;
  std::optional<ByteView> unit = nal_unit_;
  std::size_t size = syntax.header_size;
  std::size_t count = 0;
  for (; unit && !syntax.is_slice(syntax.type(*unit)); unit = units.next()) {
    size += kAggregatedLengthSize + unit->size();
    if (size > max_size_) break;
    ++count;
  }
  return count;
}

std::size_t PayloadWriter::write_aggregate(ByteSpan out, std::size_t count) noexcept {
  AggregateHeader header(nal_syntax(format_));
  ByteWriter writer(out);
  writer.zeros(nal_syntax(format_).header_size);
  for (std::size_t i = 0; i < count; ++i) {
    header.add(nal_unit_);
    writer.u16(static_cast<std::uint16_t>(nal_unit_.size()));
    writer.bytes(nal_unit_);
    next_nal_unit();
  }
  ByteWriter front(out);
  header.write(front);
  return writer.size();
}

std::size_t PayloadWriter::write_obus(ByteSpan out) noexcept {
  // Each element with its length (W is 0), filled up with the beginning of the next OBU.
  std::uint8_t aggregation = offset_ > 0 ? kAggregationContinues : 0;
  if (first_ && key_frame_) aggregation |= kAggregationNewSequence;
  std::size_t size = 1;
  while (!done_ && out.size() - size >= 2) {
    const std::size_t space = out.size() - size;
    const auto left = static_cast<std::uint32_t>(obu_.size() - offset_);
    std::uint32_t part = left;
    if (left + leb128_size(left) > space) {
      part = static_cast<std::uint32_t>(space - leb128_size(static_cast<std::uint32_t>(space)));
      aggregation |= kAggregationUnfinished;
    }
    size += write_leb128(out.data() + size, part);
    obu_.copy(offset_, out.subspan(size, part));
    size += part;
    offset_ += part;
    if (part != left) break;
    next_obu();
  }
  out[0] = aggregation;
  return size;
}

void PayloadWriter::next_nal_unit() noexcept {
  offset_ = 0;
  nal_unit_ = nal_units_.next().value_or(ByteView());
  done_ = nal_unit_.empty();
}

void PayloadWriter::next_obu() noexcept {
  offset_ = 0;
  done_ = true;
  while (const auto obu = obus_.next()) {
    if (!travels(obu->type())) continue;
    obu_ = *obu;
    done_ = false;
    return;
  }
}

}  // namespace runnel::frames
