// A client of the desk: asks and waits for answers, keeps events, sends and takes media.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/rtp/rtp_packet.h"
#include "scene.h"

namespace runnel::session {

class Guest {
 public:
  explicit Guest(Scene& scene, std::string_view token = {},
                 std::string_view address = "192.0.2.10");

  /// Who has said hello already.
  [[nodiscard]] static Guest greeted(Scene& scene, std::string_view token = {},
                                     std::string_view address = "192.0.2.10");

  void send(std::string_view text);
  /// Sends a request under an id of its own, and answers the answer: what is behind "ok", or the
  /// whole of it with "error". Null when there was none.
  Json ask(std::string_view verb, Json fields = Json::object());
  /// The same of a request that was sent before.
  Json answer_to(int id);
  int last_id() const { return last_id_; }

  /// The code of an error, or "ok".
  static std::string code(const Json& answer);

  /// Takes out all events of this name.
  std::vector<Json> events(std::string_view name);
  std::vector<Bytes> media() { return std::exchange(box().media, {}); }
  /// 0: it is open.
  int close_code() { return box().closing ? box().closing->code : 0; }
  void set_room(std::size_t room) { box().room = room; }

  /// One binary message, and then what the daemon does.
  void send_binary(ByteView message);
  void send_packet(std::uint16_t channel, ByteView packet);
  void send_frame(std::uint16_t channel, std::uint64_t timestamp_us, bool key_frame,
                  ByteView frame);

  void disconnect();

  ConnectionId id() const { return id_; }
  Mailbox& box() { return scene_->mailbox(id_); }

 private:
  Scene* scene_;
  ConnectionId id_{};
  int last_id_ = 0;
};

/// Fields of requests.
inline Json websocket_leg(std::string_view format = "rtp") {
  return {{"websocket", {{"format", format}}}};
}
inline Json video_track(std::string_view name = "video") {
  return {{"name", name}, {"codec", "VP8/90000"}, {"payload_type", 96}};
}
inline Json audio_track(std::string_view name = "audio") {
  return {{"name", name}, {"codec", "opus/48000/2"}, {"payload_type", 111}};
}
inline Json publication(std::string_view stream, Json leg = websocket_leg(),
                        Json tracks = Json::array({video_track()})) {
  return {{"stream", stream}, {"leg", std::move(leg)}, {"tracks", std::move(tracks)}};
}
inline Json subscription(std::string_view stream, Json leg = websocket_leg()) {
  return {{"stream", stream}, {"leg", std::move(leg)}};
}

inline std::uint16_t channel_of(const Json& leg, std::size_t track = 0) {
  return leg.at("tracks").at(track).at("channel").get<std::uint16_t>();
}

// Media.

struct PacketDraft {
  std::uint16_t sequence_number = 0;
  std::uint32_t timestamp = 0;
  Bytes payload = {0x90, 0x80, 0x00, 0x00};
  bool marker = true;
  std::uint8_t payload_type = 96;
  std::uint32_t ssrc = 7;
};
Bytes packet(const PacketDraft& draft);
/// A VP8 frame in one packet (RFC 7741 §4): a descriptor of one byte before it.
Bytes vp8_frame(bool key_frame, std::uint8_t filler, std::size_t size = 40);
Bytes vp8_packet(std::uint16_t number, bool key_frame, std::size_t size = 40);

inline rtp::RtpPacketView view_of(ByteView packet) {
  return rtp::RtpPacketView::parse(packet).value();
}
/// What stands behind the header of a media message.
inline ByteView body_of(const Bytes& message) {
  return ByteView(message).subspan((message[0] & 0x0f) == 0 ? 4 : 12);
}
inline Bytes payload_of(const Bytes& message) {
  const ByteView payload = view_of(body_of(message)).payload();
  return {payload.begin(), payload.end()};
}
inline std::uint16_t channel_in(const Bytes& message) {
  return load_be16(message.data() + 2);
}

}  // namespace runnel::session
