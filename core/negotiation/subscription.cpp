#include "core/negotiation/subscription.h"

#include <set>
#include <utility>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/codec_names.h"

namespace runnel::negotiation {
namespace {

bool is_subscribable(const OfferedMedium& medium, rtp::MediaKind kind) {
  return medium.usable && medium.kind == kind && sdp::receives(medium.direction);
}

/// What becomes of one track.
class Search {
 public:
  Search(const Offer& offer, const Track& track) : offer_(offer), track_(track) {}

  /// The next m-line that is not taken.
  std::optional<AgreedMedium> run(std::set<std::size_t>& taken) {
    for (const OfferedMedium& medium : offer_.media) {
      if (!is_subscribable(medium, track_.codec.kind)) continue;
      has_line_ = true;
      if (taken.contains(medium.index)) continue;
      if (const PayloadFormat* format = most_suitable(medium.formats, track_.codec)) {
        taken.insert(medium.index);
        return agree(medium, *format, sdp::Direction::sendonly);
      }
      if (without_codec_ == nullptr) without_codec_ = &medium;
    }
    return std::nullopt;
  }

  /// Why none was found.
  LeftOut failure(std::size_t index) const {
    const std::string what = "The track \"" + track_.name + "\" is " + describe(track_.codec);
    if (without_codec_ != nullptr) {
      return {index, ErrorKind::unknown_codec,
              what + ", and the peer can receive " + names_of(without_codec_->formats) + "."};
    }
    const std::string kind(rtp::to_string(track_.codec.kind));
    return {index, ErrorKind::no_media,
            what + ", and the offer has no " + (has_line_ ? "further " : "") +
                "m-line in which its sender would receive " + kind +
                " (a=recvonly or a=sendrecv)."};
  }
  std::size_t line() const { return without_codec_ == nullptr ? 0 : without_codec_->line; }

 private:
  const Offer& offer_;
  const Track& track_;
  bool has_line_ = false;
  const OfferedMedium* without_codec_ = nullptr;
};

}  // namespace

std::expected<Subscription, Error> choose_subscription(const Offer& offer,
                                                       std::span<const Track> tracks) {
  Subscription subscription;
  std::set<std::size_t> taken;
  std::size_t line = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    Search search(offer, tracks[i]);
    if (auto medium = search.run(taken)) {
      subscription.tracks.push_back({i, *std::move(medium)});
      continue;
    }
    if (subscription.left_out.empty()) line = search.line();
    subscription.left_out.push_back(search.failure(i));
  }
  if (!subscription.tracks.empty()) return subscription;
  if (subscription.left_out.empty()) {
    return std::unexpected(Error{ErrorKind::no_media, 0, "The stream has no tracks."});
  }
  const LeftOut& first = subscription.left_out.front();
  return std::unexpected(Error{first.reason, line, first.sentence});
}

}  // namespace runnel::negotiation
