#include "core/voice/server_text.h"

#include "core/base/base64.h"

namespace runnel::voice {
namespace {

/// `"TEXT"`, escaped as JSON wants it.
std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20) {
      result += "\\u00";
      result += kDigits[byte >> 4];
      result += kDigits[byte & 15];
    } else {
      result += c;
    }
  }
  return result += '"';
}

std::string head(std::string_view event, std::string_view stream_sid) {
  return R"({"event":)" + quoted(event) + R"(,"streamSid":)" + quoted(stream_sid);
}

std::string numbered(std::string_view event, const CallIdentity& call,
                     std::uint64_t sequence_number) {
  return head(event, call.stream_sid) + R"(,"sequenceNumber":")" + std::to_string(sequence_number) +
         '"';
}

}  // namespace

std::string connected_text() {
  return R"({"event":"connected","protocol":"Call","version":"1.0.0"})";
}

std::string start_text(const CallIdentity& call, std::uint64_t sequence_number,
                       std::string_view stream) {
  return numbered("start", call, sequence_number) + R"(,"start":{"accountSid":)" +
         quoted(call.account_sid) + R"(,"streamSid":)" + quoted(call.stream_sid) +
         R"(,"callSid":)" + quoted(call.call_sid) +
         R"(,"tracks":["inbound"],"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,)"
         R"("channels":1},"customParameters":{"stream":)" +
         quoted(stream) + "}}}";
}

std::string media_text(const CallIdentity& call, std::uint64_t sequence_number,
                       const HeardMedia& media) {
  return numbered("media", call, sequence_number) + R"(,"media":{"track":"inbound","chunk":")" +
         std::to_string(media.chunk) + R"(","timestamp":")" + std::to_string(media.timestamp_ms) +
         R"(","payload":")" + encode_base64(media.audio) + R"("}})";
}

std::string dtmf_text(const CallIdentity& call, std::uint64_t sequence_number,
                      std::string_view digit) {
  return numbered("dtmf", call, sequence_number) + R"(,"dtmf":{"track":"inbound_track","digit":)" +
         quoted(digit) + "}}";
}

std::string mark_text(const CallIdentity& call, std::uint64_t sequence_number,
                      std::string_view name) {
  return numbered("mark", call, sequence_number) + R"(,"mark":{"name":)" + quoted(name) + "}}";
}

std::string stop_text(const CallIdentity& call, std::uint64_t sequence_number) {
  return numbered("stop", call, sequence_number) + R"(,"stop":{"accountSid":)" +
         quoted(call.account_sid) + R"(,"callSid":)" + quoted(call.call_sid) + "}}";
}

std::string reply_media_text(std::string_view stream_sid, ByteView audio) {
  return head("media", stream_sid) + R"(,"media":{"payload":")" + encode_base64(audio) + R"("}})";
}

std::string reply_mark_text(std::string_view stream_sid, std::string_view name) {
  return head("mark", stream_sid) + R"(,"mark":{"name":)" + quoted(name) + "}}";
}

std::string reply_clear_text(std::string_view stream_sid) {
  return head("clear", stream_sid) + "}";
}

}  // namespace runnel::voice
