// Chooses the m-lines in which a peer gets the tracks of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/rtp/codec.h"

namespace runnel::negotiation {

struct Track {
  std::string name;
  rtp::Codec codec;
};

struct SubscribedTrack {
  std::size_t track = 0;  // index into what was asked for
  /// sendonly; payload types and ids as the peer numbers them.
  AgreedMedium medium;
};

/// A track that the peer does not get.
struct LeftOut {
  std::size_t track = 0;
  ErrorKind reason = ErrorKind::no_media;  // or unknown_codec
  /// `The track "video" is AV1/90000, and the peer can receive VP8/90000 and H264/90000.`
  std::string sentence;
};

struct Subscription {
  std::vector<SubscribedTrack> tracks;  // one at least
  std::vector<LeftOut> left_out;
};

/// Gives each track the next m-line of its kind in which the peer receives (recvonly, sendrecv) and
/// knows the codec. When no track finds one, the error says why the first does not.
[[nodiscard]] std::expected<Subscription, Error> choose_subscription(const Offer& offer,
                                                                     std::span<const Track> tracks);

}  // namespace runnel::negotiation
