// A voice connection of a test: a caller or an agent of the dialect of Twilio Media Streams.
#pragma once

#include "core/base/base64.h"
#include "guest.h"

namespace runnel::session {

class Telephone {
 public:
  Telephone(Scene& scene, Desk::VoiceRole role, std::string_view stream = "support",
            std::string_view token = {})
      : scene_(&scene) {
    const auto connected = scene.desk.connect_voice(
        scene.moment, {*IpAddress::parse("192.0.2.30"), token}, stream, role);
    EXPECT_TRUE(connected.has_value());
    id_ = connected.value_or(ConnectionId{});
    scene.settle();
  }

  void send(const Json& message) {
    scene_->desk.receive_text(scene_->moment, id_, message.dump());
    scene_->settle();
  }
  void start() {
    send({{"event", "connected"}, {"protocol", "Call"}, {"version", "1.0.0"}});
    send({{"event", "start"},
          {"streamSid", kSid},
          {"start",
           {{"streamSid", kSid},
            {"callSid", "CA00000000000000000000000000000002"},
            {"tracks", {"inbound"}},
            {"mediaFormat",
             {{"encoding", "audio/x-mulaw"}, {"sampleRate", 8000}, {"channels", 1}}}}}});
  }
  void speak(const Bytes& audio) {
    send({{"event", "media"}, {"media", {{"payload", encode_base64(audio)}}}});
  }
  /// Takes out the texts of one event.
  std::vector<Json> heard(std::string_view event) {
    std::vector<Json> found;
    std::erase_if(box().texts, [&](const Json& text) {
      if (text["event"] != event) return false;
      found.push_back(text);
      return true;
    });
    return found;
  }
  Bytes audio() {
    Bytes all;
    for (const Json& message : heard("media")) {
      const std::string text = message["media"]["payload"];
      Bytes samples(text.size());
      samples.resize(decode_base64(text, samples).value());
      all.insert(all.end(), samples.begin(), samples.end());
    }
    return all;
  }
  void hang_up() {
    scene_->desk.disconnect(scene_->moment, id_);
    scene_->settle();
  }
  int close_code() { return box().closing ? box().closing->code : 0; }
  Mailbox& box() { return scene_->mailbox(id_); }
  ConnectionId id() const { return id_; }

 private:
  static constexpr const char* kSid = "MZ18ad3ab5a668481ce02b83e7395059f0";
  Scene* scene_;
  ConnectionId id_{};
};

inline Bytes samples(std::size_t size, std::uint8_t first = 0) {
  Bytes audio(size);
  for (std::size_t i = 0; i < size; ++i) audio[i] = static_cast<std::uint8_t>(first + i * 7);
  return audio;
}

inline constexpr auto kCaller = Desk::VoiceRole::caller;
inline constexpr auto kAgent = Desk::VoiceRole::agent;

}  // namespace runnel::session
