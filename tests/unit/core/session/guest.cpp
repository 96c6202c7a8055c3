// How a client of a test talks, listens, and makes its packets.
#include "guest.h"

#include <algorithm>

namespace runnel::session {

Guest::Guest(Scene& scene, std::string_view token, std::string_view address) : scene_(&scene) {
  const auto connected = scene.desk.connect(scene.moment, {*IpAddress::parse(address), token});
  EXPECT_TRUE(connected.has_value());
  id_ = connected.value_or(ConnectionId{});
  scene.settle();
}

Guest Guest::greeted(Scene& scene, std::string_view token, std::string_view address) {
  Guest client(scene, token, address);
  EXPECT_EQ(code(client.ask("hello")), "ok");
  return client;
}

void Guest::send(std::string_view text) {
  scene_->desk.receive_text(scene_->moment, id_, text);
  scene_->settle();
}

Json Guest::ask(std::string_view verb, Json fields) {
  fields["id"] = ++last_id_;
  fields["do"] = verb;
  send(fields.dump());
  return answer_to(last_id_);
}

Json Guest::answer_to(int id) {
  std::vector<Json>& texts = box().texts;
  const auto found = std::ranges::find_if(
      texts, [id](const Json& text) { return text.contains("re") && text["re"] == id; });
  if (found == texts.end()) return {};
  Json answer = *found;
  texts.erase(found);
  return answer.contains("ok") ? answer["ok"] : answer;
}

std::string Guest::code(const Json& answer) {
  if (answer.is_null()) return "no answer";
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() : "ok";
}

std::vector<Json> Guest::events(std::string_view name) {
  std::vector<Json> found;
  std::erase_if(box().texts, [&](const Json& text) {
    if (!text.contains("event") || text["event"] != name) return false;
    found.push_back(text);
    return true;
  });
  return found;
}

void Guest::send_binary(ByteView message) {
  // As long as it is not taken whole, it comes again.
  while (!scene_->desk.receive_binary(scene_->moment, id_, message)) {
    scene_->desk.flush_media(scene_->moment);
    scene_->settle();
  }
  scene_->desk.flush_media(scene_->moment);
  scene_->settle();
}

void Guest::send_packet(std::uint16_t channel, ByteView packet) {
  Bytes message{0x10, 0, static_cast<std::uint8_t>(channel >> 8),
                static_cast<std::uint8_t>(channel)};
  message.insert(message.end(), packet.begin(), packet.end());
  send_binary(message);
}

void Guest::send_frame(std::uint16_t channel, std::uint64_t timestamp_us, bool key_frame,
                       ByteView frame) {
  Bytes message{0x11, static_cast<std::uint8_t>(key_frame ? 1 : 0),
                static_cast<std::uint8_t>(channel >> 8), static_cast<std::uint8_t>(channel)};
  for (int shift = 56; shift >= 0; shift -= 8) {
    message.push_back(static_cast<std::uint8_t>(timestamp_us >> shift));
  }
  message.insert(message.end(), frame.begin(), frame.end());
  send_binary(message);
}

void Guest::disconnect() {
  scene_->desk.disconnect(scene_->moment, id_);
  scene_->settle();
}

Bytes packet(const PacketDraft& draft) {
  rtp::RtpHeader header;
  header.marker = draft.marker;
  header.payload_type = draft.payload_type;
  header.sequence_number = draft.sequence_number;
  header.timestamp = {draft.timestamp};
  header.ssrc = draft.ssrc;
  Bytes bytes(rtp::kFixedHeaderSize + draft.payload.size());
  static_cast<void>(rtp::write_header(header, bytes));
  copy_bytes(ByteSpan(bytes).subspan(rtp::kFixedHeaderSize), draft.payload);
  return bytes;
}

Bytes vp8_frame(bool key_frame, std::uint8_t filler, std::size_t size) {
  Bytes frame(size, filler);
  const Bytes head{static_cast<std::uint8_t>(key_frame ? 0x10 : 0x11),
                   0x02,
                   0x00,
                   0x9d,
                   0x01,
                   0x2a,
                   0x40,
                   0x01,
                   0xf0,
                   0x00};
  copy_bytes(frame, head);
  return frame;
}

Bytes vp8_packet(std::uint16_t number, bool key_frame, std::size_t size) {
  Bytes payload{0x10};
  const Bytes frame = vp8_frame(key_frame, static_cast<std::uint8_t>(number), size);
  payload.insert(payload.end(), frame.begin(), frame.end());
  return packet({.sequence_number = number,
                 .timestamp = std::uint32_t{number} * 3000,
                 .payload = std::move(payload)});
}

}  // namespace runnel::session
