#include "config/summary.h"

#include "config/access_summary.h"
#include "config/quantities.h"

namespace runnel::config {
namespace {

std::string count(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string joined(const std::vector<Listen>& listeners) {
  std::string text;
  for (const Listen& listen : listeners) {
    if (!text.empty()) text += ", ";
    text += listen.address.to_string();
  }
  return text.empty() ? "nowhere" : text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

/// "srtp AES_CM_128_HMAC_SHA1_80, 2 keys, own key for replies, from 192.0.2.0/24 only"
std::string describe_leg(const std::optional<Srtp>& srtp, const std::vector<IpNetwork>& allow) {
  std::string text = "rtp, in the clear";
  if (srtp) {
    text = "srtp " + std::string(srtp::to_string(srtp->suite));
    if (srtp->keys.size() > 1)
      text += ", " + count(srtp->keys.size(), "key") + " told apart by MKI";
    if (srtp->keys.size() == 1 && !srtp->keys.front().mki().empty()) text += ", with MKI";
    if (!srtp->reply_keys.empty()) text += ", own key for replies";
  }
  for (std::size_t i = 0; i < allow.size(); ++i) {
    text += (i == 0 ? ", accepts only " : " and ") + allow[i].to_string();
  }
  return text;
}

std::string rtcp_note(bool mux, const std::string& separate) {
  return mux ? " with RTCP" : ", RTCP " + separate;
}

std::string decimal(const char* label, std::uint32_t value) {
  return std::string(", ") + label + " " + std::to_string(value);
}

std::string describe(const SourceMedium& medium) {
  std::string text = "    " + padded(medium.name, 8) + padded(medium.codec.rtpmap(), 14) +
                     "payload type " + padded(std::to_string(medium.payload_type), 4) + "on " +
                     medium.listen.address.to_string();
  const auto rtcp = medium.rtcp_listen();
  text += rtcp_note(medium.rtcp_mux, rtcp ? "on " + std::to_string(rtcp->port) : "");
  if (medium.ssrc) text += decimal("only SSRC", *medium.ssrc);
  if (medium.rollover_counter != 0) {
    text += decimal("rollover counter from", medium.rollover_counter);
  }
  return text + "\n";
}

std::string describe(const ReceiverMedium& medium, const SourceMedium& source) {
  std::string text = "    " + padded(source.name, 8) + padded(source.codec.rtpmap(), 14) +
                     "payload type " + padded(std::to_string(medium.payload_type), 4);
  if (medium.send) {
    const auto rtcp = medium.rtcp_destination();
    const bool same_host = rtcp->host == medium.send->host;
    text += "to " + medium.send->to_string() +
            rtcp_note(medium.rtcp_mux,
                      "to " + (same_host ? std::to_string(rtcp->port) : rtcp->to_string()));
    text += medium.listen ? ", from " + medium.listen->address.to_string() : "";
  } else {
    const auto rtcp = medium.rtcp_listen();
    text += "to whoever sends first to " + medium.listen->address.to_string() +
            rtcp_note(medium.rtcp_mux, rtcp ? "on " + std::to_string(rtcp->port) : "");
  }
  if (medium.ssrc) text += decimal("pinned SSRC", *medium.ssrc);
  return text + "\n";
}

std::string describe(const Relay& relay) {
  std::string text =
      relay.stream + "\n  from " + describe_leg(relay.from.srtp, relay.from.allow) + "\n";
  for (const SourceMedium& medium : relay.from.media) text += describe(medium);
  for (std::size_t i = 0; i < relay.to.size(); ++i) {
    const ReceiverLeg& leg = relay.to[i];
    text += "  to " + std::to_string(i + 1) + ": " + describe_leg(leg.srtp, leg.allow) + "\n";
    for (const ReceiverMedium& medium : leg.media) {
      text += describe(medium, relay.from.media[medium.source]);
    }
  }
  return text;
}

std::string announced(const std::vector<std::string>& announce) {
  std::string text;
  for (const std::string& host : announce) text += (text.empty() ? "" : ", ") + host;
  return text.empty() ? "nothing" : text;
}

/// "by UDP and TCP, a new certificate at each start, publishers up to 8Mbit/s"
std::string describe(const Config& config) {
  const WebRtc& webrtc = config.webrtc;
  if (!webrtc.enabled) return "off";
  if (config.signalling.empty()) return "not served: it needs listen.signalling";
  std::string text = config.media.empty() ? "" : "by UDP";
  if (webrtc.ice_tcp) text += text.empty() ? "by TCP" : " and TCP";
  if (text.empty()) return "not served: it needs listen.media or ice_tcp";
  text += webrtc.certificate ? ", certificate " + webrtc.certificate->certificate
                             : std::string(", a new certificate at each start");
  if (!webrtc.ice_servers.empty()) text += ", " + count(webrtc.ice_servers.size(), "ICE server");
  return text + ", publishers up to " + format_bitrate(webrtc.publisher_bitrate);
}

}  // namespace

std::string summary(const Loaded& loaded) {
  const Config& config = loaded.config;
  std::string text = "media       " + joined(config.media) + " (UDP)\n" + "signalling  " +
                     joined(config.signalling) + " (TCP)\n" + access_summary(config) +
                     "announce    " + announced(config.announce) + "\n" + "webrtc      " +
                     describe(config) + "\n";
  std::size_t outputs = 0;
  for (const Relay& relay : config.relays) {
    text += "\n" + describe(relay);
    outputs += relay.to.size();
  }
  if (!loaded.warnings.empty()) text += "\n";
  for (const Problem& warning : loaded.warnings) text += "warning: " + warning.to_string() + "\n";
  text += "\n" + config.file + " is valid: " + count(config.relays.size(), "relay") + ", " +
          count(outputs, "output") + ", " + count(loaded.warnings.size(), "warning") + ".\n";
  return text;
}

}  // namespace runnel::config
