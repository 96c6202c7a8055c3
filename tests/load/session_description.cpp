#include "tests/load/session_description.h"

#include <algorithm>
#include <optional>

#include "core/sdp/description.h"
#include "core/sdp/read.h"
#include "core/sdp/transport_attributes.h"

namespace runnel::load {
namespace {

constexpr std::string_view kAudio =
    "m=audio 9 UDP/TLS/RTP/SAVPF 111 0 8\r\n"
    "a=mid:0\r\n"
    "a=rtpmap:111 opus/48000/2\r\n";
constexpr std::string_view kVideo =
    "m=video 9 UDP/TLS/RTP/SAVPF 96 98 102 45\r\n"
    "a=mid:1\r\n"
    "a=rtpmap:96 VP8/90000\r\n"
    "a=rtcp-fb:96 nack pli\r\n"
    "a=rtpmap:98 VP9/90000\r\n"
    "a=rtcp-fb:98 nack pli\r\n"
    "a=rtpmap:102 H264/90000\r\n"
    "a=rtcp-fb:102 nack pli\r\n"
    "a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f\r\n"
    "a=rtpmap:45 AV1/90000\r\n"
    "a=rtcp-fb:45 nack pli\r\n";

/// Of an attribute which may stand in any medium or before all of them.
std::optional<std::string_view> value_anywhere(const sdp::Description& answer,
                                               std::string_view name) {
  for (const sdp::MediaSection& medium : answer.media) {
    if (const auto value = medium.value(name)) return value;
  }
  return answer.session.value(name);
}

std::optional<SocketAddress> first_address(const sdp::Description& answer) {
  for (const sdp::MediaSection& medium : answer.media) {
    for (const sdp::Line* line : medium.all("candidate")) {
      const auto fields = sdp::CandidateFields::parse(line->attribute_value());
      if (!fields || (fields->transport != "udp" && fields->transport != "UDP")) continue;
      if (const auto ip = IpAddress::parse(fields->address)) {
        return SocketAddress{.ip = *ip, .port = fields->port};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string write_offer(const ice::Credentials& ice, const dtls::Fingerprint& fingerprint) {
  std::string connection = "c=IN IP4 0.0.0.0\r\na=recvonly\r\na=rtcp-mux\r\na=setup:actpass\r\n";
  connection += "a=ice-ufrag:" + ice.ufrag + "\r\na=ice-pwd:" + ice.password + "\r\n";
  connection += "a=fingerprint:" + fingerprint.to_string() + "\r\n";
  std::string offer = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1\r\n";
  const auto add_medium = [&](std::string_view medium) {
    const std::size_t first_line = medium.find('\n') + 1;
    offer.append(medium.substr(0, first_line)).append(connection).append(medium.substr(first_line));
  };
  add_medium(kAudio);
  add_medium(kVideo);
  return offer;
}

std::expected<AnsweringSide, std::string> read_answer(std::string_view text) {
  const auto answer = sdp::parse(text);
  if (!answer) return std::unexpected(answer.error().to_string());
  const auto ufrag = value_anywhere(*answer, "ice-ufrag");
  const auto password = value_anywhere(*answer, "ice-pwd");
  const auto hash = value_anywhere(*answer, "fingerprint");
  const auto fingerprint = hash ? dtls::Fingerprint::parse(*hash) : std::nullopt;
  const auto address = first_address(*answer);
  if (!ufrag || !password) return std::unexpected("the answer has no ICE credentials");
  if (!fingerprint) return std::unexpected("the answer has no fingerprint that is known");
  if (!address) return std::unexpected("the answer has no candidate by UDP");
  return AnsweringSide{
      .remote = {.ice = {.ufrag = std::string(*ufrag), .password = std::string(*password)},
                 .fingerprint = *fingerprint},
      .address = *address};
}

}  // namespace runnel::load
