// Chooses what a peer that offers media shall publish.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"

namespace runnel::negotiation {

/// What the publisher wants one track to be.
struct TrackWish {
  std::string name;
  std::optional<rtp::MediaKind> kind;  // nullopt: any
  std::string mid;                     // of its m-line; empty: the next one of its kind
  /// Encoding names, best first: only these. Empty: as for all.
  std::vector<std::string> codecs;
};

struct PublicationWishes {
  /// In the order of m-lines. What has no wish is not published. Empty: everything is, and called
  /// "audio", "video", "video2" and so on.
  std::vector<TrackWish> tracks;
  /// Encoding names that come first, in this order; then the peer's order holds.
  std::vector<std::string> codecs;
};

struct PublishedTrack {
  std::string name;
  AgreedMedium medium;  // recvonly
};

/// For each m-line in which the peer sends (sendonly, sendrecv): the first codec that is known
/// here. Of the variants of H.264 the one that most receivers can take is chosen: packetization
/// mode 1 before 0, constrained baseline before baseline, main and high. An m-line without a known
/// codec is left out; when none is left, or a wish cannot be met, that is an error.
[[nodiscard]] std::expected<std::vector<PublishedTrack>, Error> choose_publication(
    const Offer& offer, const PublicationWishes& wishes = {});

}  // namespace runnel::negotiation
