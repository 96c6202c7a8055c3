#include "config/load_media.h"

#include <algorithm>
#include <limits>

#include "config/addresses.h"
#include "config/names.h"

namespace runnel::config {
namespace {

using rtp::MediaKind;

constexpr std::size_t kLongestFormat = 1'000;
constexpr std::uint16_t kLastPort = 65'535;
constexpr std::uint64_t kHighest32 = std::numeric_limits<std::uint32_t>::max();

constexpr Choice<MediaKind> kKinds[] = {{"audio", MediaKind::audio}, {"video", MediaKind::video}};

/// rtpmap forms that people half remember.
constexpr std::string_view kCommonCodecs[] = {
    "H264/90000",   "H265/90000", "VP8/90000", "VP9/90000", "AV1/90000",
    "opus/48000/2", "PCMU/8000",  "PCMA/8000", "G722/8000", "L16/48000/2"};

std::string printable_kind(MediaKind kind) {
  return std::string(rtp::to_string(kind));
}

/// 64 to 95 look like RTCP to whoever shares the port (RFC 5761 §4).
std::optional<std::uint8_t> load_payload_type(const Value& value) {
  const auto number = value.integer({0, 127});
  if (!number) return std::nullopt;
  if (*number >= 64 && *number <= 95) {
    value.error("payload types 64 to 95 cannot be told from RTCP", "use 96 to 127, or 35 to 63");
    return std::nullopt;
  }
  return static_cast<std::uint8_t>(*number);
}

std::optional<std::uint32_t> load_32_bits(const Value& value) {
  const auto number = value.integer({0, kHighest32});
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::string advice_for_codec(std::string_view text, MediaKind kind) {
  for (const std::string_view known : kCommonCodecs) {
    const std::string_view name = known.substr(0, known.find('/'));
    if (nearest(text.substr(0, text.find('/')), {&name, 1}).empty()) continue;
    return "write \"" + std::string(known) + "\"";
  }
  return "write NAME/CLOCKRATE as in a=rtpmap, such as " +
         std::string(kind == MediaKind::video ? "\"H264/90000\"" : "\"opus/48000/2\"");
}

std::optional<rtp::Codec> load_codec(const Mapping& map, MediaKind kind,
                                     std::uint8_t payload_type) {
  const auto fixed = rtp::static_payload_type(payload_type);
  const auto value = map.find("codec");
  if (!value && fixed && fixed->kind == kind) return fixed;
  if (!value) {
    const std::string number = std::to_string(payload_type);
    map.value().error(fixed ? "payload type " + number + " is " + fixed->rtpmap() + ", which is " +
                                  printable_kind(fixed->kind)
                            : "payload type " + number + " has no fixed meaning",
                      "add codec, such as " +
                          std::string(kind == MediaKind::video ? "H264/90000" : "opus/48000/2"));
    return std::nullopt;
  }
  const auto text = value->text();
  if (!text) return std::nullopt;
  auto codec = rtp::Codec::parse(kind, *text);
  if (!codec) {
    value->error(quoted(*text) + " is no codec with its clock rate", advice_for_codec(*text, kind));
  } else if (fixed && fixed->rtpmap() != codec->rtpmap()) {
    value->warn("payload type " + std::to_string(payload_type) + " usually means " +
                    fixed->rtpmap() + " (RFC 3551)",
                "use a payload type from 96 to 127 for " + codec->rtpmap());
  }
  return codec;
}

/// Goes into a line of SDP.
std::optional<std::string> load_format(const Value& value) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  const bool is_printable =
      std::all_of(text->begin(), text->end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (is_printable && text->size() <= kLongestFormat) return std::string(*text);
  value.error(
      "is no line of printable characters, or longer than " + std::to_string(kLongestFormat),
      "write what follows the payload type in a=fmtp, such as \"packetization-mode=1\"");
  return std::nullopt;
}

std::optional<std::string> load_name(const Value& value) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  if (is_name(*text)) return std::string(*text);
  value.error(quoted(*text) + " is no name", kNameAdvice);
  return std::nullopt;
}

std::string default_name(MediaKind kind, const std::vector<SourceMedium>& siblings) {
  const auto same_kind = [&](const SourceMedium& other) { return other.codec.kind == kind; };
  const auto before = std::count_if(siblings.begin(), siblings.end(), same_kind);
  return printable_kind(kind) + (before == 0 ? "" : std::to_string(before + 1));
}

std::optional<Listen> load_listen(const Value& value, bool rtcp_mux) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  const auto address = parse_listen(*text);
  if (!address) {
    value.error(address.error().text, address.error().remedy);
    return std::nullopt;
  }
  if (!rtcp_mux && address->port == kLastPort) {
    value.error("leaves no next port for RTCP", "use an even port, or add rtcp_mux: true");
    return std::nullopt;
  }
  if (!rtcp_mux && address->port % 2 != 0) {
    value.warn("RTP on an odd port: many senders expect an even one, with RTCP on the odd one next",
               "use an even port, or add rtcp_mux: true");
  }
  return Listen{*address, value.origin()};
}

std::optional<Endpoint> load_endpoint(const Value& value) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  auto endpoint = parse_endpoint(*text);
  if (!endpoint) {
    value.error(endpoint.error().text, endpoint.error().remedy);
    return std::nullopt;
  }
  const auto address = endpoint->literal();
  if (address && is_documentation(address->ip)) {
    value.warn(quoted(*text) + " is an address that only appears in documentation",
               "write the receiver's own address");
  }
  endpoint->origin = value.origin();
  return std::move(*endpoint);
}

/// Assigns the value of `key` when it is there. False after a problem.
template <typename T, typename Read>
bool load_optional(const Mapping& map, std::string_view key, T& target, Read read) {
  const auto value = map.find(key);
  if (!value) return true;
  auto result = read(*value);
  if (result) target = std::move(*result);
  return result.has_value();
}

}  // namespace

std::optional<SourceMedium> load_source_medium(const Value& value,
                                               const std::vector<SourceMedium>& siblings) {
  const auto map = value.mapping(kSourceMediumSchema);
  if (!map) return std::nullopt;
  SourceMedium medium;
  medium.origin = value.origin();
  const auto kind_value = map->require("kind", "add kind: audio or kind: video");
  const auto kind = kind_value ? kind_value->choice(kKinds) : std::nullopt;
  const auto type_value = map->require("payload_type", "add the number that the sender uses");
  const auto type = type_value ? load_payload_type(*type_value) : std::nullopt;
  bool good =
      load_optional(*map, "rtcp_mux", medium.rtcp_mux, [](const Value& v) { return v.boolean(); });
  good &= load_optional(*map, "ssrc", medium.ssrc, load_32_bits);
  good &= load_optional(*map, "roc", medium.rollover_counter, load_32_bits);
  const auto listen_value = map->require(
      "listen", "add the address and port that the sender sends to, such as \"0.0.0.0:5004\"");
  const auto listen = listen_value ? load_listen(*listen_value, medium.rtcp_mux) : std::nullopt;
  const auto codec = kind && type ? load_codec(*map, *kind, *type) : std::nullopt;
  if (!good || !listen || !codec) return std::nullopt;
  medium.listen = *listen;
  medium.codec = *codec;
  medium.payload_type = *type;
  medium.name = default_name(*kind, siblings);
  good &= load_optional(*map, "name", medium.name, load_name);
  good &= load_optional(*map, "fmtp", medium.codec.format_parameters, load_format);
  if (!good) return std::nullopt;
  return medium;
}

namespace {

/// By `source`, or the first of `kind`.
std::optional<std::size_t> find_source(const Mapping& map,
                                       const std::vector<SourceMedium>& sources) {
  const auto kind_value = map.find("kind");
  const auto kind = kind_value ? kind_value->choice(kKinds) : std::nullopt;
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
    place.error("the source has no " + printable_kind(*kind),
                "add it to from's media, or remove it here; the source has " + any_of(names));
  } else if (std::find(names.begin(), names.end(), *name) != names.end()) {
    place.error(quoted(*name) + " is no " + printable_kind(*kind), "remove kind, or correct it");
  } else {
    place.error("the source has no medium named " + quoted(*name), suggestion(*name, names));
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
      std::string("no address in listen.media can send to ") + (is_v4 ? "IPv4" : "IPv6"),
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
         check_local_port(*map, context, medium);
  if (!good || !source) return std::nullopt;
  return medium;
}

}  // namespace runnel::config
