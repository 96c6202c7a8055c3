// Session descriptions: what is accepted is written without loss, limits hold, and each attribute
// that is understood means the same when it is written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/sdp/description.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"
#include "core/sdp/transport_attributes.h"

namespace {

using namespace runnel;

// Small, so that short inputs reach them.
constexpr sdp::Limits kLimits{.size = 4'096,
                              .lines = 64,
                              .line_length = 256,
                              .attributes = 32,
                              .media_sections = 8,
                              .formats = 16};

template <typename T>
void check_attribute(const sdp::Line& line) {
  if (line.attribute_name() != T::kName) return;
  const auto value = sdp::read<T>(line);
  if (!value) {
    RUNNEL_CHECK(value.error().line == line.number && !value.error().message.empty());
    return;
  }
  const auto again = T::parse(value->to_string());
  RUNNEL_CHECK(again && again->to_string() == value->to_string());
}

void check_section(const sdp::Section& section) {
  std::size_t attributes = 0;
  for (const sdp::Line& line : section.lines) {
    RUNNEL_CHECK(line.number >= 1 && line.number <= kLimits.lines);
    RUNNEL_CHECK(line.value.size() + 2 <= kLimits.line_length);
    if (!line.is_attribute()) continue;
    ++attributes;
    check_attribute<sdp::RtpMap>(line);
    check_attribute<sdp::FormatParameters>(line);
    check_attribute<sdp::RtcpFeedback>(line);
    check_attribute<sdp::ExtensionMap>(line);
    check_attribute<sdp::SourceAttribute>(line);
    check_attribute<sdp::SourceGroup>(line);
    check_attribute<sdp::MediaStreamId>(line);
    check_attribute<sdp::Rid>(line);
    check_attribute<sdp::Simulcast>(line);
    check_attribute<sdp::Group>(line);
    check_attribute<sdp::FingerprintText>(line);
    (void)sdp::CandidateFields::parse(line.attribute_value());
  }
  RUNNEL_CHECK(attributes <= kLimits.attributes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto description = sdp::parse_fragment(text, kLimits);
  if (!description) {
    RUNNEL_CHECK(!description.error().message.empty());
    return 0;
  }
  RUNNEL_CHECK(description->media.size() <= kLimits.media_sections);
  check_section(description->session);
  for (const sdp::MediaSection& section : description->media) {
    RUNNEL_CHECK(section.formats.size() <= kLimits.formats);
    check_section(section);
  }
  // Line ends of two characters may make it longer than the limit.
  const auto again = sdp::parse_fragment(sdp::write(*description));
  RUNNEL_CHECK(again && *again == *description);
  return 0;
}
