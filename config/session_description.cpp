#include "config/session_description.h"

#include <algorithm>

#include "config/quantities.h"
#include "config/wording.h"
#include "core/base/base64.h"

namespace runnel::config {
namespace {

/// The big-endian number that an MKI is in SDP, of any length.
std::string decimal(ByteView bytes) {
  std::string digits{'0'};  // the last one first
  for (const std::uint8_t byte : bytes) {
    unsigned carry = byte;
    for (char& digit : digits) {
      carry += static_cast<unsigned>(digit - '0') * 256;
      digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits.push_back(static_cast<char>('0' + carry % 10));
  }
  return {digits.rbegin(), digits.rend()};
}

/// RFC 4568 §6.1, without a lifetime, which ffmpeg does not understand; with the MKI where there is
/// one.
std::string crypto_line(const srtp::MasterKey& key, std::size_t tag) {
  std::vector<std::uint8_t> bytes(key.key().begin(), key.key().end());
  bytes.insert(bytes.end(), key.salt().begin(), key.salt().end());
  std::string line = "a=crypto:" + std::to_string(tag) + " " +
                     std::string(srtp::to_string(key.profile())) +
                     " inline:" + encode_base64(bytes);
  wipe(bytes.data(), bytes.size());
  if (key.mki().empty()) return line + "\r\n";
  return line + "|" + decimal(key.mki()) + ":" + std::to_string(key.mki().size()) + "\r\n";
}

/// "IN IP4 198.51.100.9", of a name "IN IP4 receiver.example" (RFC 8866 §5.7).
std::string network_address(const Endpoint& endpoint) {
  const auto address = endpoint.literal();
  const bool is_v4 = !address || address->ip.is_v4();
  return (is_v4 ? "IN IP4 " : "IN IP6 ") + endpoint.host;
}

/// A multicast group of IPv4 has to say how far it reaches; one hop is what the kernel sends.
std::string connection(const Endpoint& endpoint) {
  const auto address = endpoint.literal();
  const bool is_multicast =
      address && address->ip.is_v4() && (address->ip.bytes()[0] & 0xf0) == 0xe0;
  return network_address(endpoint) + (is_multicast ? "/1" : "");
}

std::string media_section(const ReceiverLeg& leg, const ReceiverMedium& medium,
                          const SourceMedium& source) {
  const std::string type = std::to_string(medium.payload_type);
  std::string sdp = "m=" + std::string(rtp::to_string(source.codec.kind)) + " " +
                    std::to_string(medium.send->port) + (leg.srtp ? " RTP/SAVP " : " RTP/AVP ") +
                    type + "\r\n";
  sdp += "c=" + connection(*medium.send) + "\r\n";
  sdp += "a=rtpmap:" + type + " " + source.codec.rtpmap() + "\r\n";
  if (!source.codec.format_parameters.empty()) {
    sdp += "a=fmtp:" + type + " " + source.codec.format_parameters + "\r\n";
  }
  if (leg.srtp) sdp += crypto_line(leg.srtp->keys.front(), 1);
  if (medium.rtcp_mux) {
    sdp += "a=rtcp-mux\r\n";
  } else {
    const auto rtcp = medium.rtcp_destination();
    sdp += "a=rtcp:" + std::to_string(rtcp->port) + " " + network_address(*rtcp) + "\r\n";
  }
  if (medium.ssrc) sdp += "a=ssrc:" + std::to_string(*medium.ssrc) + " cname:runnel\r\n";
  return sdp;
}

/// "this file has no stream named 'x'; did you mean 'y'?"
std::string no_such_stream(const Config& config, std::string_view stream) {
  const std::string text = "there is no stream named " + quote(stream) + "; ";
  if (config.relays.empty()) return text + "the configuration has no relays";
  std::vector<std::string_view> names;
  for (const Relay& relay : config.relays) names.push_back(relay.stream);
  constexpr std::size_t kMostNames = 10;
  if (nearest(stream, names).empty()) names.resize(std::min(names.size(), kMostNames));
  return text + suggestion(stream, names);
}

}  // namespace

std::expected<std::string, std::string> session_description(const Config& config,
                                                            std::string_view stream,
                                                            std::size_t output) {
  const auto relay = std::find_if(config.relays.begin(), config.relays.end(),
                                  [&](const Relay& other) { return other.stream == stream; });
  if (relay == config.relays.end()) return std::unexpected(no_such_stream(config, stream));
  if (output >= relay->to.size()) {
    const std::size_t count = relay->to.size();
    return std::unexpected("stream " + quote(stream) + " has no output " +
                           std::to_string(output + 1) + "; it has " + std::to_string(count) +
                           (count == 1 ? " output" : " outputs, counted from 1"));
  }
  const ReceiverLeg& leg = relay->to[output];
  if (leg.latch_first) {
    return std::unexpected("output " + std::to_string(output + 1) + " of " + quote(stream) +
                           " learns the receiver's address from its packets (latch); SDP needs an "
                           "address that stands in the configuration");
  }
  std::string sdp = "v=0\r\no=- 1 1 " + network_address(*leg.media.front().send) +
                    "\r\ns=" + relay->stream + "\r\nt=0 0\r\na=recvonly\r\n";
  for (const ReceiverMedium& medium : leg.media) {
    sdp += media_section(leg, medium, relay->from.media[medium.source]);
  }
  return sdp;
}

std::optional<OutputName> parse_output_name(std::string_view text) noexcept {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return OutputName{text, 0};
  const std::string_view number = text.substr(slash + 1);
  const auto output = number.starts_with("0") ? std::nullopt : parse_integer(number);
  if (!output) return std::nullopt;
  return OutputName{text.substr(0, slash), static_cast<std::size_t>(*output - 1)};
}

}  // namespace runnel::config
