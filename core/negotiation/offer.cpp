#include "core/negotiation/offer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/offered_medium.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;
using sdp::Description;
using sdp::MediaSection;

Unexpected refuse(ErrorKind kind, std::size_t line, std::string message) {
  return Unexpected(Error{kind, line, std::move(message)});
}

std::expected<void, Error> read_media(const Description& description, Offer& offer) {
  for (const MediaSection& section : description.media) {
    auto medium = read_medium(description.session, section, offer.media.size());
    if (!medium) return Unexpected(std::move(medium.error()));
    const auto has_same_mid = [&](const OfferedMedium& other) { return other.mid == medium->mid; };
    if (!medium->mid.empty() && std::ranges::any_of(offer.media, has_same_mid)) {
      return refuse(ErrorKind::malformed, section.find("mid")->number,
                    "a=mid:" + medium->mid + " is the MID of another m-line.");
    }
    offer.media.push_back(*std::move(medium));
  }
  return {};
}

/// The first BUNDLE group that is not of m-lines alone that are switched off.
std::expected<std::optional<sdp::Group>, Error> find_bundle(const Description& description,
                                                            const Offer& offer) {
  std::optional<sdp::Group> bundle;
  for (const sdp::Line* line : description.session.all(sdp::Group::kName)) {
    auto group = sdp::read<sdp::Group>(*line);
    if (!group) return Unexpected(to_error(group.error()));
    if (group->semantics != "BUNDLE") continue;
    bool is_of_use = false;
    for (const std::string& mid : group->mids) {
      const auto medium = std::ranges::find(offer.media, mid, &OfferedMedium::mid);
      if (medium == offer.media.end()) {
        return refuse(ErrorKind::malformed, line->number,
                      "a=group:BUNDLE names " + sdp::quote(mid) + ", which is no m-line's MID.");
      }
      is_of_use |= medium->usable;
    }
    if (!bundle || is_of_use) bundle = *std::move(group);
    if (is_of_use) break;
  }
  return bundle;
}

void set_unusable(OfferedMedium& medium, std::string because) {
  medium.usable = false;
  medium.unusable_because = std::move(because);
}

/// Leaves the m-lines that share one connection. RTCP is sent with RTP, as it must in a bundle
/// (RFC 9143 §9.3).
std::expected<void, Error> apply_bundle(const Description& description, Offer& offer) {
  const auto bundle = find_bundle(description, offer);
  if (!bundle) return Unexpected(bundle.error());
  offer.bundle = bundle->has_value();
  bool has_connection = false;
  for (OfferedMedium& medium : offer.media) {
    if (!medium.usable) continue;
    if (offer.bundle) {
      const auto& mids = (*bundle)->mids;
      if (medium.mid.empty() || std::ranges::find(mids, medium.mid) == mids.end()) {
        set_unusable(medium, "It is not in the BUNDLE group, and there is one connection only.");
      }
    } else if (std::exchange(has_connection, true)) {
      set_unusable(medium, "There is no BUNDLE group, and so the first m-line is the only one.");
    } else if (!description.media[medium.index].has("rtcp-mux")) {
      set_unusable(medium, "It is without a=rtcp-mux, and there is no port for RTCP alone.");
    }
  }
  return {};
}

void drop_ambiguous_extensions(const Description& description, Offer& offer) {
  std::map<std::uint16_t, std::string> uris;
  std::set<std::uint16_t> ambiguous;
  for (const OfferedMedium& medium : offer.media) {
    if (!medium.usable) continue;
    const auto maps = sdp::read_all<sdp::ExtensionMap>(description.media[medium.index]);
    for (const sdp::ExtensionMap& map : maps.value_or(std::vector<sdp::ExtensionMap>())) {
      const auto [known, is_new] = uris.try_emplace(map.id, map.uri);
      if (!is_new && known->second != map.uri) ambiguous.insert(map.id);
    }
  }
  for (OfferedMedium& medium : offer.media) {
    std::erase_if(medium.extensions, [&](const OfferedExtension& extension) {
      return ambiguous.contains(extension.id) && extension.kind != rtp::ExtensionKind::mid &&
             extension.kind != rtp::ExtensionKind::rid &&
             extension.kind != rtp::ExtensionKind::repaired_rid;
    });
  }
}

/// Attributes about the connection, which stand in its m-line or before all m-lines.
class ConnectionReader {
 public:
  ConnectionReader(const sdp::Section& session, const MediaSection& section)
      : session_(session), section_(section) {}

  std::expected<PeerTransport, Error> read() const {
    PeerTransport transport;
    auto done = read_ice(transport);
    if (done) done = read_dtls(transport);
    if (!done) return Unexpected(std::move(done.error()));
    return transport;
  }

 private:
  const sdp::Section& holder_of(std::string_view name) const {
    return section_.has(name) ? static_cast<const sdp::Section&>(section_) : session_;
  }

  Unexpected missing(std::string_view name) const {
    return refuse(ErrorKind::unsupported, section_.number,
                  "a=" + std::string(name) +
                      " is missing; the connection is made by ICE and DTLS-SRTP only.");
  }

  std::expected<void, Error> read_ice(PeerTransport& transport) const {
    const sdp::Line* ufrag = holder_of("ice-ufrag").find("ice-ufrag");
    const sdp::Line* password = holder_of("ice-pwd").find("ice-pwd");
    if (ufrag == nullptr) return missing("ice-ufrag");
    if (password == nullptr) return missing("ice-pwd");
    transport.ufrag = ufrag->attribute_value();
    transport.password = password->attribute_value();
    if (!sdp::is_ice_ufrag(transport.ufrag)) {
      return refuse(ErrorKind::malformed, ufrag->number,
                    "a=ice-ufrag must be 4 to 256 letters, digits, '+' and '/'.");
    }
    if (!sdp::is_ice_password(transport.password)) {
      return refuse(ErrorKind::malformed, password->number,
                    "a=ice-pwd must be 22 to 256 letters, digits, '+' and '/'.");
    }
    if (const sdp::Line* lite = session_.find("ice-lite")) {
      return refuse(ErrorKind::unsupported, lite->number,
                    "Both sides are ICE-lite, and so none would connect.");
    }
    return {};
  }

  std::expected<void, Error> read_dtls(PeerTransport& transport) const {
    const sdp::Section& holder = holder_of(sdp::FingerprintText::kName);
    auto fingerprints = sdp::read_all<sdp::FingerprintText>(holder);
    if (!fingerprints) return Unexpected(to_error(fingerprints.error()));
    if (fingerprints->empty()) return missing(sdp::FingerprintText::kName);
    for (auto& fingerprint : *fingerprints) {
      transport.fingerprints.push_back(std::move(fingerprint.text));
    }

    const sdp::Line* line = holder_of("setup").find("setup");
    if (line == nullptr) return {};  // as browsers take it
    const auto setup = sdp::parse_setup(line->attribute_value());
    if (!setup || *setup == sdp::Setup::holdconn) {
      return refuse(ErrorKind::malformed, line->number,
                    "a=setup must be actpass, active or passive, and is " +
                        sdp::quote(line->attribute_value()) + ".");
    }
    transport.setup = *setup;
    return {};
  }

  const sdp::Section& session_;
  const MediaSection& section_;
};

/// The m-line whose attributes are about the connection (RFC 9143 §7.3.1): the first that the
/// answer will not reject, since the others may tell of connections that are never made. When there
/// is none, whatever m-line comes first shows who the peer is.
const MediaSection& connection_section(const Description& description, const Offer& offer) {
  const auto stays = [](const OfferedMedium& medium) {
    return medium.usable && std::ranges::any_of(medium.formats, [](const PayloadFormat& format) {
             return is_main(format.codec);
           });
  };
  auto found = std::ranges::find_if(offer.media, stays);
  if (found == offer.media.end()) {
    found = std::ranges::find(offer.media, true, &OfferedMedium::usable);
  }
  return description.media[found == offer.media.end() ? 0 : found->index];
}

rtp::ExtensionIds extension_ids(const OfferedMedium& medium, bool to_peer) {
  rtp::ExtensionIds ids;
  for (const OfferedExtension& extension : medium.extensions) {
    const auto direction = extension.direction.value_or(sdp::Direction::sendrecv);
    if (to_peer ? sdp::receives(direction) : sdp::sends(direction)) {
      ids.set(extension.kind, extension.id);
    }
  }
  return ids;
}

}  // namespace

std::expected<Offer, Error> parse_offer(std::string_view text, const sdp::Limits& limits) {
  const auto description = sdp::parse(text, limits);
  if (!description) return Unexpected(to_error(description.error()));
  if (description->media.empty()) {
    return refuse(ErrorKind::malformed, 0, "The description has no m-line.");
  }
  Offer offer;
  offer.mixed_extensions = description->session.has("extmap-allow-mixed");
  auto done = read_media(*description, offer);
  if (done) done = apply_bundle(*description, offer);
  if (!done) return Unexpected(std::move(done.error()));
  drop_ambiguous_extensions(*description, offer);

  auto transport =
      ConnectionReader(description->session, connection_section(*description, offer)).read();
  if (!transport) return Unexpected(std::move(transport.error()));
  offer.transport = *std::move(transport);
  return offer;
}

rtp::ExtensionIds extensions_from_peer(const OfferedMedium& medium) {
  return extension_ids(medium, false);
}

rtp::ExtensionIds extensions_to_peer(const OfferedMedium& medium) {
  return extension_ids(medium, true);
}

}  // namespace runnel::negotiation
