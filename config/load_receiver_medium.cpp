// An entry of `media` below `to`.
#include <algorithm>

#include "config/load_media.h"
#include "config/medium_fields.h"

namespace runnel::config {
namespace {

std::string kind_name(rtp::MediaKind kind) {
  return std::string(rtp::to_string(kind));
}

/// By `source`, or the first of `kind`.
std::optional<std::size_t> find_source(const Mapping& map,
                                       const std::vector<SourceMedium>& sources) {
  const auto kind_value = map.find("kind");
  const auto kind = kind_value ? kind_value->choice(kMediaKinds) : std::nullopt;
  const auto name_value = map.find("source");
  if ((kind_value && !kind) || sources.empty()) return std::nullopt;
  if (!kind_value && !name_value) {
    map.value().error("does not say which medium", "add kind: audio, kind: video, or source: NAME");
    return std::nullopt;
  }
  const auto name = name_value ? name_value->text() : std::nullopt;
  if (name_value && !name) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bool fits_kind = !kind || sources[i].codec.kind == *kind;
    if (fits_kind && (!name || sources[i].name == *name)) return i;
    names.push_back(sources[i].name);
  }
  const Value& place = name_value ? *name_value : *kind_value;
  if (!name) {
    place.error("the source has no " + kind_name(*kind),
                "add it to from's media, or remove it here; the source has " + any_of(names));
  } else if (std::find(names.begin(), names.end(), *name) != names.end()) {
    place.error(quote(*name) + " is no " + kind_name(*kind), "remove kind, or correct it");
  } else {
    place.error("the source has no medium named " + quote(*name), suggestion(*name, names));
  }
  return std::nullopt;
}

/// Whether the destination is complete: `send` xor latch, and RTCP somewhere.
bool load_destination(const Mapping& map, bool latch, ReceiverMedium& medium) {
  if (!load_optional(map, "send", medium.send, load_endpoint) ||
      !load_optional(map, "rtcp_send", medium.send_rtcp, load_endpoint)) {
    return false;
  }
  if (latch && (medium.send || medium.send_rtcp)) {
    map.find(medium.send ? "send" : "rtcp_send")
        ->error("stands beside 'latch', which learns the destination from the receiver's packets",
                "remove one of the two");
    return false;
  }
  if (!latch && !medium.send) {
    map.value().error("'send' is missing",
                      "add the receiver's HOST:PORT, or latch: first to the leg");
    return false;
  }
  if (medium.send_rtcp && medium.rtcp_mux) {
    map.find("rtcp_send")
        ->error("stands beside rtcp_mux: true, which sends RTCP to the RTP port",
                "remove one of the two");
    return false;
  }
  if (latch || medium.rtcp_mux || medium.send_rtcp) return true;
  if (medium.send->port == kLastPort) {
    map.find("send")->error("leaves no next port for RTCP", "add rtcp_mux: true or rtcp_send");
    return false;
  }
  if (medium.send->port % 2 != 0) {
    map.find("send")->warn("RTP to an odd port sends RTCP to the even one next, which is unusual",
                           "use an even port, or add rtcp_mux: true or rtcp_send");
  }
  return true;
}

/// Whether RTCP can go out where RTP does: one local port sends both when they are not apart, and
/// the network takes an address of its own family alone. A name is resolved to the family of the
/// port that sends.
bool check_families(const Mapping& map, const ReceiverMediumContext& context,
                    const ReceiverMedium& medium) {
  const auto rtcp = medium.send_rtcp ? medium.send_rtcp->literal() : std::nullopt;
  if (!rtcp) return true;
  const auto rtp = medium.send->literal();
  const IpAddress& from =
      medium.listen ? medium.listen->address.ip : context.shared.front().address.ip;
  const bool is_v4 = rtp ? rtp->ip.is_v4() : from.is_v4();
  if (rtcp->ip.is_v4() == is_v4) return true;
  map.find("rtcp_send")
      ->error(std::string("is of another address family than 'send', which goes out by ") +
                  (is_v4 ? "IPv4" : "IPv6"),
              "use IPv4 for both, or IPv6 for both");
  return false;
}

/// A port of its own, or a shared one of the destination's family.
bool check_local_port(const Mapping& map, const ReceiverMediumContext& context,
                      const ReceiverMedium& medium) {
  if (medium.listen && medium.send) {
    const auto remote = medium.send->literal();
    if (!remote || remote->ip.is_v4() == medium.listen->address.ip.is_v4()) return true;
    map.find("listen")->error("is of another address family than 'send'",
                              "use IPv4 for both, or IPv6 for both");
    return false;
  }
  if (medium.listen) return true;
  if (context.latch) {
    map.value().error("'listen' is missing, which a leg with latch needs",
                      "add the address and port that the receiver sends to, such as "
                      "\"0.0.0.0:5008\"");
    return false;
  }
  const auto remote = medium.send->literal();
  const auto fits = [&](const Listen& shared) {
    return !remote || shared.address.ip.is_v4() == remote->ip.is_v4();
  };
  if (std::any_of(context.shared.begin(), context.shared.end(), fits)) return true;
  const bool is_v4 = !remote || remote->ip.is_v4();
  map.find("send")->error(
      context.shared.empty()
          ? "has no port to be sent from, as listen.media is an empty list"
          : std::string("no address in listen.media can send to ") + (is_v4 ? "IPv4" : "IPv6"),
      std::string("add ") + (is_v4 ? "\"0.0.0.0:7000\"" : "\"[::]:7000\"") +
          " there, or 'listen' here");
  return false;
}

}  // namespace

std::optional<ReceiverMedium> load_receiver_medium(const Value& value,
                                                   const ReceiverMediumContext& context) {
  const auto map = value.mapping(kReceiverMediumSchema);
  if (!map) return std::nullopt;
  ReceiverMedium medium;
  medium.origin = value.origin();
  const auto source = find_source(*map, context.sources);
  if (source) {
    medium.source = *source;
    medium.payload_type = context.sources[*source].payload_type;
  }
  bool good =
      load_optional(*map, "rtcp_mux", medium.rtcp_mux, [](const Value& v) { return v.boolean(); });
  good &= load_optional(*map, "payload_type", medium.payload_type, load_payload_type);
  good &= load_optional(*map, "ssrc", medium.ssrc, load_32_bits);
  good &= load_optional(*map, "listen", medium.listen,
                        [&](const Value& v) { return load_listen(v, medium.rtcp_mux); });
  good = good && load_destination(*map, context.latch, medium) &&
         check_local_port(*map, context, medium) && check_families(*map, context, medium);
  if (!good || !source) return std::nullopt;
  return medium;
}

}  // namespace runnel::config
