#include "core/negotiation/publication.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/codec_names.h"

namespace runnel::negotiation {
namespace {

using Unexpected = std::unexpected<Error>;

bool is_published(const OfferedMedium& medium) {
  return medium.usable && sdp::sends(medium.direction);
}

/// The variant of a codec that most receivers can take; of equal ones the peer's first.
const PayloadFormat* best_variant(const OfferedMedium& medium, std::string_view name) {
  const PayloadFormat* best = nullptr;
  int best_rank = 0;
  for (const PayloadFormat& format : medium.formats) {
    if (!is_same_name(format.codec.name, name) || !known_name(format.codec)) continue;
    const auto rank = variant_rank(format.codec);
    if (!rank || (best != nullptr && *rank >= best_rank)) continue;
    best = &format;
    best_rank = *rank;
  }
  return best;
}

const PayloadFormat* first_of(const OfferedMedium& medium, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (const PayloadFormat* format = best_variant(medium, name)) return format;
  }
  return nullptr;
}

const PayloadFormat* choose_format(const OfferedMedium& medium,
                                   std::span<const std::string> preferred) {
  if (const PayloadFormat* format = first_of(medium, preferred)) return format;
  for (const PayloadFormat& format : medium.formats) {
    if (is_main(format.codec) && variant_rank(format.codec)) {
      return best_variant(medium, format.codec.name);
    }
  }
  return nullptr;
}

/// "audio", "audio2", ...
std::string default_name(rtp::MediaKind kind, const std::set<std::string>& taken) {
  const std::string base(rtp::to_string(kind));
  std::string name = base;
  for (int number = 2; taken.contains(name); ++number) name = base + std::to_string(number);
  return name;
}

std::expected<std::vector<PublishedTrack>, Error> publish_all(
    const Offer& offer, std::span<const std::string> preferred) {
  std::vector<PublishedTrack> tracks;
  std::set<std::string> names;
  const OfferedMedium* without_codec = nullptr;
  for (const OfferedMedium& medium : offer.media) {
    if (!is_published(medium)) continue;
    const PayloadFormat* format = choose_format(medium, preferred);
    if (format == nullptr) {
      without_codec = &medium;
      continue;
    }
    std::string name = default_name(*medium.kind, names);
    names.insert(name);
    tracks.push_back({std::move(name), agree(medium, *format, sdp::Direction::recvonly)});
  }
  if (!tracks.empty()) return tracks;
  if (without_codec == nullptr) {
    return Unexpected(
        Error{ErrorKind::no_media, 0,
              "The offer has no audio or video that its sender would send (a=sendonly "
              "or a=sendrecv)."});
  }
  return Unexpected(Error{ErrorKind::unknown_codec, without_codec->line,
                          "The m-line offers " + names_of(without_codec->formats) +
                              ", and none of it can be relayed; known are " +
                              known_names(*without_codec->kind) + "."});
}

const OfferedMedium* medium_for(const Offer& offer, const TrackWish& wish,
                                const std::set<std::size_t>& taken) {
  for (const OfferedMedium& medium : offer.media) {
    if (!is_published(medium) || taken.contains(medium.index)) continue;
    if (wish.mid.empty() ? !wish.kind || wish.kind == medium.kind : wish.mid == medium.mid) {
      return &medium;
    }
  }
  return nullptr;
}

std::string describe(const TrackWish& wish) {
  std::string text = wish.kind ? std::string(rtp::to_string(*wish.kind)) : "a medium";
  text += " that its sender would send";
  if (!wish.mid.empty()) text += " under a=mid:" + wish.mid;
  return text;
}

std::expected<PublishedTrack, Error> publish_one(const Offer& offer, const TrackWish& wish,
                                                 std::span<const std::string> preferred,
                                                 std::set<std::size_t>& taken) {
  const OfferedMedium* medium = medium_for(offer, wish, taken);
  if (medium == nullptr) {
    return Unexpected(Error{ErrorKind::no_media, 0,
                            "For the track \"" + wish.name + "\" the offer has no m-line with " +
                                describe(wish) + "."});
  }
  taken.insert(medium->index);
  const PayloadFormat* format =
      wish.codecs.empty() ? choose_format(*medium, preferred) : first_of(*medium, wish.codecs);
  if (format == nullptr) {
    return Unexpected(Error{
        ErrorKind::unknown_codec, medium->line,
        "The track \"" + wish.name + "\" needs " +
            (wish.codecs.empty() ? known_names(*medium->kind) : enumerated(wish.codecs, "or")) +
            ", and the m-line offers " + names_of(medium->formats) + "."});
  }
  return PublishedTrack{wish.name, agree(*medium, *format, sdp::Direction::recvonly)};
}

}  // namespace

std::expected<std::vector<PublishedTrack>, Error> choose_publication(
    const Offer& offer, const PublicationWishes& wishes) {
  if (wishes.tracks.empty()) return publish_all(offer, wishes.codecs);
  std::vector<PublishedTrack> tracks;
  std::set<std::size_t> taken;
  for (const TrackWish& wish : wishes.tracks) {
    auto track = publish_one(offer, wish, wishes.codecs, taken);
    if (!track) return Unexpected(std::move(track.error()));
    tracks.push_back(*std::move(track));
  }
  return tracks;
}

}  // namespace runnel::negotiation
