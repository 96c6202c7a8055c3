// Any text is a request or a refusal that a client can read, and no key gets into an error.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/signalling/codec.h"

namespace {

using namespace runnel::signalling;

constexpr std::string_view kSecret = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e";  // 30 bytes
constexpr std::size_t kLongestError = 1024;

void check(const Error& error) {
  RUNNEL_CHECK(!error.text.empty() && error.text.size() <= kLongestError);
  RUNNEL_CHECK(error.text.find(kSecret) == std::string::npos);
  RUNNEL_CHECK(std::ranges::none_of(error.text, [](char c) { return c >= 0 && c < ' '; }));
  RUNNEL_CHECK(encode(std::nullopt, error).front() == '{');
  RUNNEL_CHECK(encode_problem(error).back() == '}');
}

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= kMaxNameLength;
}

void check(const Publish& publish) {
  RUNNEL_CHECK(is_name(publish.stream));
  RUNNEL_CHECK(!publish.tracks.empty() && publish.tracks.size() <= kMaxTracks);
  for (const PublishedTrack& track : publish.tracks) {
    RUNNEL_CHECK(is_name(track.name));
    RUNNEL_CHECK(track.payload_type <= 127);
    RUNNEL_CHECK(!track.codec.name.empty() && track.codec.clock_rate > 0);
    RUNNEL_CHECK(track.codec.format_parameters.find('\n') == std::string::npos);
  }
  const auto* srtp = std::get_if<SrtpOffer>(&publish.leg);
  RUNNEL_CHECK(srtp == nullptr || !srtp->suites.empty());
  RUNNEL_CHECK(srtp == nullptr || !srtp->key || srtp->suites.size() == 1);
}
void check(const Subscribe& subscribe) {
  RUNNEL_CHECK(is_name(subscribe.stream));
  RUNNEL_CHECK(subscribe.tracks.size() <= kMaxTracks);
  if (std::holds_alternative<WebSocketOffer>(subscribe.leg)) return;
  const bool all_have_addresses = std::ranges::all_of(
      subscribe.tracks, [](const SubscribedTrack& track) { return track.to.has_value(); });
  RUNNEL_CHECK(subscribe.latch || subscribe.to ||
               (!subscribe.tracks.empty() && all_have_addresses));
}
void check(const Stats& stats) {
  RUNNEL_CHECK(stats.stream.empty() == stats.leg.has_value());
}
template <typename Other>
void check(const Other&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto incoming = decode(text)) {
    std::visit([](const auto& request) { check(request); }, incoming->request);
  } else {
    check(incoming.error().error);
  }
  for (const std::string_view verb : {"publish", "subscribe", "update"}) {
    const auto body = decode_body(verb, text, {.stream = "camera-1", .leg = {}});
    if (body) {
      std::visit([](const auto& request) { check(request); }, *body);
    } else {
      check(body.error());
    }
  }
  return 0;
}
