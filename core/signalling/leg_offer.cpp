#include "core/signalling/leg_offer.h"

#include <array>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "core/signalling/field_types.h"

namespace runnel::signalling {
namespace {

constexpr std::size_t kMaxSuites = 16;
constexpr std::size_t kLongestSuite = 64;
constexpr std::size_t kLongestKey = 128;  // in base64
constexpr std::string_view kKinds = R"("webrtc", "srtp", "rtp" or "websocket")";

std::vector<srtp::Profile> read_suites(const Field& list) {
  std::vector<srtp::Profile> suites;
  const std::vector<Field> items = list.items({1, kMaxSuites});
  for (const Field& item : items) {
    const auto name = item.text({1, kLongestSuite});
    if (!name) continue;
    // A suite of a later version is passed over, as long as there is another one.
    if (const auto suite = srtp::profile_from_name(*name)) suites.push_back(*suite);
  }
  if (suites.empty() && !items.empty()) {
    std::string names;
    for (const srtp::Profile profile : srtp::kProfiles) {
      names += (names.empty() ? "" : ", ") + std::string(srtp::to_string(profile));
    }
    list.refuse(ErrorCode::unsupported_suite, "none of them is known here; known are " + names);
  }
  return suites;
}

/// Nothing of the key gets into the error.
std::optional<KeyMaterial> read_key(const Field& field, const std::vector<srtp::Profile>& suites) {
  const auto text = field.text({1, kLongestKey});
  if (!text || suites.empty()) return std::nullopt;
  if (suites.size() != 1) {
    field.refuse(ErrorCode::bad_key, "several suites are offered; a key belongs to one");
    return std::nullopt;
  }
  const srtp::ProfileParameters& suite = srtp::parameters(suites.front());
  const std::size_t expected = suite.key_size + suite.salt_size;
  std::array<std::uint8_t, kLongestKey> bytes{};
  const auto size = decode_base64(*text, bytes);
  std::optional<KeyMaterial> key;
  if (size == expected) {
    key = KeyMaterial(ByteView(bytes).first(expected));
  } else {
    const std::string found = size ? "is " + std::to_string(*size) + " bytes" : "is no base64";
    field.refuse(ErrorCode::bad_key, found + "; " + std::string(suite.name) + " takes " +
                                         std::to_string(expected) + ", key and salt, in base64");
  }
  wipe(bytes.data(), bytes.size());
  return key;
}

SrtpOffer read_srtp(const Field& leg) {
  SrtpOffer offer;
  if (const auto suites = leg.require("suites", "a list of SRTP suites")) {
    offer.suites = read_suites(*suites);
  }
  const auto key_of_suite = [&](const Field& field) { return read_key(field, offer.suites); };
  leg.read_into(offer.key, "key", key_of_suite);
  leg.read_into(offer.reply_key, "reply_key", key_of_suite);
  return offer;
}

std::optional<MediaFormat> read_format(const Field& field) {
  const auto text = field.text({1, 16});
  if (!text) return std::nullopt;
  if (*text == "rtp") return MediaFormat::rtp;
  if (*text == "frame") return MediaFormat::frame;
  field.refuse(quote(*text) + R"( is no format; write "rtp" or "frame")");
  return std::nullopt;
}

WebSocketOffer read_websocket(const Field& leg) {
  WebSocketOffer offer;
  leg.read_into(offer.format, "format", read_format);
  return offer;
}

WebRtcOffer read_webrtc(const Field& leg) {
  WebRtcOffer offer;
  leg.read_into(offer.offer, "offer", read_sdp);
  leg.read_into(offer.peer, "peer", read_peer_number);
  if (offer.offer && offer.peer) {
    leg.refuse(
        "'offer' makes a peer connection of its own, and 'peer' names one that is there; leave one "
        "of them out");
  }
  return offer;
}

void refuse_kinds(const Field& leg) {
  const std::vector<std::string_view> names = leg.names();
  if (names.empty()) {
    leg.refuse("is empty; write one member, " + std::string(kKinds));
    return;
  }
  leg.refuse(ErrorCode::unsupported_leg,
             quote(names.front()) + " is not known; use " + std::string(kKinds));
}

}  // namespace

std::optional<LegOffer> read_leg(const Field& request) {
  const auto leg = request.require("leg", "an object with one member, " + std::string(kKinds));
  if (!leg || !leg->is_object()) return std::nullopt;
  const auto srtp = leg->find("srtp");
  const auto rtp = leg->find("rtp");
  const auto websocket = leg->find("websocket");
  const auto webrtc = leg->find("webrtc");
  const int kinds = (srtp ? 1 : 0) + (rtp ? 1 : 0) + (websocket ? 1 : 0) + (webrtc ? 1 : 0);
  if (kinds > 1) leg->refuse("names several kinds; write one of " + std::string(kKinds));
  if (kinds == 0) refuse_kinds(*leg);
  if (kinds != 1) return std::nullopt;
  if (srtp && srtp->is_object()) return read_srtp(*srtp);
  if (rtp && rtp->is_object()) return RtpOffer{};
  if (websocket && websocket->is_object()) return read_websocket(*websocket);
  if (webrtc && webrtc->is_object()) return read_webrtc(*webrtc);
  return std::nullopt;
}

Destination read_destination(const Field& request) {
  Destination destination;
  const auto leg = request.find("leg");
  const auto srtp = leg ? leg->find("srtp") : std::nullopt;
  const auto chosen = srtp || !leg ? srtp : leg->find("rtp");
  if (!chosen) return destination;
  chosen->read_into(destination.to, "to", read_address);
  chosen->read_into(destination.latch, "latch", &Field::boolean);
  if (destination.latch && !srtp) {
    chosen->refuse("nothing on an rtp leg is authenticated; replace 'latch' by 'to'");
  } else if (destination.latch && destination.to) {
    chosen->refuse("'latch' stands beside 'to', and would learn the same; leave one of them out");
  }
  return destination;
}

}  // namespace runnel::signalling
