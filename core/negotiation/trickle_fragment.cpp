#include "core/negotiation/trickle_fragment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/negotiation/offered_medium.h"
#include "core/sdp/description.h"
#include "core/sdp/read.h"
#include "core/sdp/transport_attributes.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

constexpr sdp::Limits kLimits{.size = 64 * 1024, .lines = 2'048};

/// The credentials are those of all m-lines, wherever they stand.
std::expected<void, Error> take(const sdp::Section& section, TrickleFragment& fragment) {
  for (const sdp::Line& line : section.lines) {
    if (!line.is_attribute()) continue;
    const std::string_view name = line.attribute_name();
    const std::string_view value = line.attribute_value();
    const bool is_wrong = (name == "ice-ufrag" && !sdp::is_ice_ufrag(value)) ||
                          (name == "ice-pwd" && !sdp::is_ice_password(value));
    if (is_wrong) {
      return Unexpected(Error{ErrorKind::malformed, line.number,
                              "a=" + std::string(name) +
                                  " must be of letters, digits, '+' and "
                                  "'/', 4 to 256 in a=ice-ufrag and 22 to 256 in a=ice-pwd."});
    }
    if (name == "ice-ufrag" && fragment.ufrag.empty()) fragment.ufrag = value;
    if (name == "ice-pwd" && fragment.password.empty()) fragment.password = value;
    if (name == "candidate") fragment.candidates.emplace_back(value);
    if (name == "end-of-candidates") fragment.end_of_candidates = true;
  }
  return {};
}

}  // namespace

std::expected<TrickleFragment, Error> parse_trickle_fragment(std::string_view text) {
  const auto description = sdp::parse_fragment(text, kLimits);
  if (!description) return Unexpected(to_error(description.error()));
  TrickleFragment fragment;
  auto done = take(description->session, fragment);
  for (const sdp::MediaSection& section : description->media) {
    if (done) done = take(section, fragment);
  }
  if (!done) return Unexpected(std::move(done.error()));
  return fragment;
}

std::string write_trickle_fragment(const LocalTransport& local, std::string_view media,
                                   std::string_view mid) {
  sdp::Description description;
  description.session.add_flag("ice-lite");
  description.session.add_attribute("ice-options", "trickle ice2");
  description.session.add_attribute("ice-ufrag", local.ufrag);
  description.session.add_attribute("ice-pwd", local.password);
  // RFC 8840 §9: a pseudo m-line, whose port, protocol and format mean nothing.
  sdp::MediaSection section;
  section.media = media;
  section.protocol = "UDP/TLS/RTP/SAVPF";
  section.formats = {"0"};
  section.add_attribute("mid", mid);
  for (const std::string& candidate : local.candidates) {
    section.add_attribute("candidate", candidate);
  }
  section.add_flag("end-of-candidates");
  description.media.push_back(std::move(section));
  return sdp::write(description);
}

}  // namespace runnel::negotiation
