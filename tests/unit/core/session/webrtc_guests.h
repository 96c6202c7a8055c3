// Who publishes over a WebSocket, and who watches by a peer connection, in tests of subscriptions.
#pragma once

#include <string>
#include <string_view>

#include "browser.h"
#include "guest.h"

namespace runnel::session {

inline Json by_webrtc(std::string_view stream, Json leg = Json::object()) {
  return {{"stream", stream}, {"leg", {{"webrtc", std::move(leg)}}}};
}

/// Somebody who publishes VP8, and opus where wished, over a WebSocket.
struct Studio {
  Studio(Scene& scene, std::string_view stream, bool has_audio = false)
      : guest(Guest::greeted(scene)) {
    Json tracks = Json::array({video_track()});
    if (has_audio) tracks.push_back(audio_track());
    leg = guest.ask("publish", publication(stream, websocket_leg(), tracks));
    EXPECT_EQ(Guest::code(leg), "ok") << leg;
  }
  void send(std::uint16_t number, bool key_frame = true) {
    guest.send_packet(channel_of(leg), vp8_packet(number, key_frame));
  }

  Guest guest;
  Json leg;
};

/// A viewer to whom the server offers.
struct Viewer {
  explicit Viewer(Scene& scene, std::string_view address = "192.0.2.10:50000")
      : guest(Guest::greeted(scene)), browser(scene, address) {}

  Json subscribe(std::string_view stream, Json leg = Json::object()) {
    return guest.ask("subscribe", by_webrtc(stream, std::move(leg)));
  }
  Json answer(int generation, const std::string& offer) {
    return guest.ask("answer",
                     {{"peer", 1}, {"generation", generation}, {"sdp", browser.answer(offer)}});
  }

  Guest guest;
  Browser browser;
};

}  // namespace runnel::session
