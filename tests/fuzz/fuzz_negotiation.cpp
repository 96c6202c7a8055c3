// Negotiation: whatever a peer offers, the answer is a description that our own parser reads, with
// the same m-lines; and whatever it answers, offers of ours stay so too.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/negotiation/peer_connection.h"
#include "core/negotiation/publication.h"
#include "core/negotiation/subscription.h"
#include "core/negotiation/trickle_fragment.h"
#include "core/sdp/description.h"

namespace {

using namespace runnel;
using namespace runnel::negotiation;

LocalTransport local_transport() {
  return {"oursides",
          "oursides0123456789abcdef",
          {"sha-256 AA:BB"},
          {"1 1 udp 2130706431 192.0.2.1 7000 typ host"}};
}

Track track(rtp::MediaKind kind, std::string_view rtpmap) {
  return {"track", rtp::Codec::parse(kind, rtpmap).value()};
}

sdp::Description check_written(const std::string& text, const Offer& offer) {
  auto written = sdp::parse(text);
  RUNNEL_CHECK(written && written->media.size() >= offer.media.size());
  RUNNEL_CHECK(sdp::write(*written) == text);
  return *std::move(written);
}

/// Each m-line in its place.
void check_answer(const std::string& text, const Offer& offer) {
  const sdp::Description written = check_written(text, offer);
  RUNNEL_CHECK(written.media.size() == offer.media.size());
  for (std::size_t i = 0; i < offer.media.size(); ++i) {
    RUNNEL_CHECK(written.media[i].media == offer.media[i].media);
    RUNNEL_CHECK(written.media[i].value("mid").value_or("") == offer.media[i].mid);
    RUNNEL_CHECK(offer.media[i].usable || written.media[i].port == 0);
  }
}

void add(std::vector<LocalMedium>& media, const AgreedMedium& agreed) {
  for (const LocalMedium& other : media) {
    if (other.agreed.section == agreed.section) return;
  }
  media.push_back({agreed, std::nullopt});
  if (sdp::sends(agreed.direction)) media.back().source = SentSource{1, 2, "c", "s", "t"};
}

std::vector<LocalMedium> choose(const Offer& offer) {
  std::vector<LocalMedium> media;
  if (const auto tracks = choose_publication(offer)) {
    for (const PublishedTrack& published : *tracks) add(media, published.medium);
  }
  const std::vector<Track> tracks = {track(rtp::MediaKind::audio, "opus/48000/2"),
                                     track(rtp::MediaKind::video, "VP8/90000"),
                                     track(rtp::MediaKind::video, "H264/90000")};
  if (const auto subscription = choose_subscription(offer, tracks)) {
    for (const SubscribedTrack& subscribed : subscription->tracks) add(media, subscribed.medium);
  }
  return media;
}

void offer_more(PeerConnection& connection, const Offer& offer, std::string_view answer) {
  const auto mid = connection.add(track(rtp::MediaKind::video, "VP8/90000"), {3, 4, "c", "s", "t"});
  if (!mid) return;
  (void)check_written(connection.write_offer(local_transport()), offer);
  RUNNEL_CHECK(!connection.has_changes());
  (void)connection.read_answer(answer);
  connection.remove(*mid);
  if (!connection.is_offer_open()) {
    (void)check_written(connection.write_offer(local_transport()), offer);
  }
}

}  // namespace

// A description, and after a zero byte another one that answers ours.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\0'));
  const std::string_view second = first.size() == size ? first : text.substr(first.size() + 1);
  (void)parse_trickle_fragment(first);
  PeerConnection connection(1);
  const auto offer = connection.read_offer(first);
  if (!offer) {
    RUNNEL_CHECK(!offer.error().message.empty());
    return 0;
  }
  const std::vector<LocalMedium> media = choose(*offer);
  check_answer(connection.write_answer(*offer, media, local_transport()), *offer);
  RUNNEL_CHECK(connection.media().size() == media.size());
  RUNNEL_CHECK(connection.continued(*offer).value().size() == media.size());
  offer_more(connection, *offer, second);
  if (const auto again = connection.read_offer(second)) {
    const auto continued = connection.continued(*again);
    if (continued) {
      check_answer(connection.write_answer(*again, *continued, local_transport()), *again);
    }
  }
  return 0;
}
