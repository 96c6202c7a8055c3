#include "config/load_relay.h"

#include <algorithm>

#include "config/addresses.h"
#include "config/load_keys.h"
#include "config/load_media.h"
#include "config/names.h"

namespace runnel::config {
namespace {

enum class Latch : std::uint8_t { first };
constexpr Choice<Latch> kLatches[] = {{"first", Latch::first}};

/// The one leg that `from` or an entry of `to` holds.
struct Leg {
  bool is_srtp = false;
  Mapping map;
};

std::optional<Leg> load_leg(const Value& value, const Schema& kinds, const Schema& srtp,
                            const Schema& rtp) {
  const auto map = value.mapping(kinds);
  if (!map) return std::nullopt;
  const auto srtp_leg = map->find("srtp");
  const auto rtp_leg = map->find("rtp");
  if (srtp_leg.has_value() == rtp_leg.has_value()) {
    value.error(srtp_leg ? "has both 'srtp' and 'rtp'" : "names no kind of leg",
                srtp_leg ? "make them two entries, or keep one"
                         : "add srtp: (encrypted) or rtp: (in the clear)");
    return std::nullopt;
  }
  auto leg = srtp_leg ? srtp_leg->mapping(srtp) : rtp_leg->mapping(rtp);
  if (!leg) return std::nullopt;
  return Leg{srtp_leg.has_value(), std::move(*leg)};
}

/// False after a problem.
bool load_allow(const Mapping& leg, std::vector<IpNetwork>& allow) {
  const auto list = leg.find("allow");
  if (!list) return true;
  const std::vector<Value> items = list->items();
  if (items.empty()) {
    list->error("is an empty list, which would allow nobody",
                "name who may send, or remove 'allow' to allow everybody");
    return false;
  }
  bool good = true;
  for (const Value& item : items) {
    const auto text = item.text();
    const auto network = text ? parse_network(*text) : std::unexpected(Complaint{});
    if (network) {
      allow.push_back(*network);
      continue;
    }
    if (text) item.error(network.error().text, network.error().remedy);
    good = false;
  }
  return good;
}

/// Applies `load` to each entry of `media`. False after a problem.
template <typename Load>
bool load_media(const Mapping& leg, std::size_t limit, Load load) {
  const auto list = leg.require("media", "add a list with at least one medium");
  if (!list) return false;
  const std::vector<Value> items = list->items();
  if (items.empty() || items.size() > limit) {
    list->error(
        items.empty() ? "is an empty list" : "has " + std::to_string(items.size()) + " entries",
        "give 1 to " + std::to_string(limit) + " (limits.media_per_leg)");
    return false;
  }
  bool good = true;
  for (const Value& item : items) good &= load(item);
  return good;
}

/// Loads `srtp`'s keys where the leg has them. False after a problem.
bool load_protection(const Leg& leg, const Surroundings& surroundings, std::optional<Srtp>& srtp) {
  if (!leg.is_srtp) return true;
  srtp = load_srtp(leg.map, surroundings);
  return srtp.has_value();
}

bool has_name(const std::vector<SourceMedium>& media, const std::string& name) {
  return std::any_of(media.begin(), media.end(),
                     [&](const SourceMedium& medium) { return medium.name == name; });
}

bool load_source(const Value& value, const Surroundings& surroundings, const Limits& limits,
                 SourceLeg& source) {
  source.origin = value.origin();
  const auto leg = load_leg(value, kSourceSchema, kSrtpSourceSchema, kRtpSourceSchema);
  if (!leg) return false;
  bool good = load_protection(*leg, surroundings, source.srtp);
  good &= load_allow(leg->map, source.allow);
  good &= load_media(leg->map, limits.media_per_leg, [&](const Value& item) {
    auto medium = load_source_medium(item, source.media);
    if (!medium) return false;
    if (has_name(source.media, medium->name)) {
      item.error("a second medium named " + quote(medium->name), "give each its own 'name'");
      return false;
    }
    source.media.push_back(std::move(*medium));
    return true;
  });
  const auto is_open = [](const SourceMedium& m) { return !m.listen.address.ip.is_loopback(); };
  if (good && !leg->is_srtp && source.allow.empty() &&
      std::any_of(source.media.begin(), source.media.end(), is_open)) {
    leg->map.value().warn(
        "plain RTP is not authenticated: whoever reaches the port can feed this "
        "stream",
        "add allow with the sender's address, or use srtp");
  }
  return good;
}

/// False after a problem.
bool load_latch(const Leg& leg, ReceiverLeg& receiver) {
  const auto value = leg.map.find("latch");
  if (!value) return true;
  if (!value->choice(kLatches)) return false;
  receiver.latch_first = true;
  if (leg.is_srtp || !receiver.allow.empty()) return true;
  value->error("on plain RTP nothing is authenticated: whoever sends first would get the stream",
               "add allow with the receiver's network, or use srtp");
  return false;
}

bool load_receiver(const Value& value, const Surroundings& surroundings, const Config& config,
                   const SourceLeg& source, ReceiverLeg& receiver) {
  receiver.origin = value.origin();
  const auto leg = load_leg(value, kReceiverSchema, kSrtpReceiverSchema, kRtpReceiverSchema);
  if (!leg) return false;
  bool good = load_protection(*leg, surroundings, receiver.srtp);
  good &= load_allow(leg->map, receiver.allow);
  good &= load_latch(*leg, receiver);
  const ReceiverMediumContext context{source.media, config.media, leg->map.has("latch")};
  good &= load_media(leg->map, config.limits.media_per_leg, [&](const Value& item) {
    auto medium = load_receiver_medium(item, context);
    if (!medium) return false;
    receiver.media.push_back(std::move(*medium));
    return true;
  });
  return good;
}

bool load_stream_name(const Mapping& map, std::string& stream) {
  const auto value = map.require("stream", "add the name under which the stream is known");
  const auto text = value ? value->text() : std::nullopt;
  if (!text) return false;
  stream = *text;
  if (is_name(stream)) return true;
  value->error(quote(stream) + " is no stream name", kNameAdvice);
  return false;
}

std::optional<Relay> load_relay(const Value& value, const Surroundings& surroundings,
                                const Config& config) {
  const auto map = value.mapping(kRelaySchema);
  if (!map) return std::nullopt;
  Relay relay;
  relay.origin = value.origin();
  bool good = load_stream_name(*map, relay.stream);
  const auto from = map->require("from", "add where the stream comes from: srtp or rtp");
  if (!from || !load_source(*from, surroundings, config.limits, relay.from)) {
    good = false;
    relay.from.media.clear();  // receivers are not blamed for a medium that could not be read
  }
  const auto to = map->require("to", "add a list of where the stream goes: srtp or rtp each");
  if (!to) return std::nullopt;
  const std::vector<Value> receivers = to->items();
  if (receivers.empty() || receivers.size() > config.limits.receivers_per_relay) {
    to->error("has " + std::to_string(receivers.size()) + " entries",
              "give 1 to " + std::to_string(config.limits.receivers_per_relay) +
                  " (limits.receivers_per_relay)");
    return std::nullopt;
  }
  for (const Value& receiver : receivers) {
    good &= load_receiver(receiver, surroundings, config, relay.from, relay.to.emplace_back());
  }
  if (!good) return std::nullopt;
  return relay;
}

}  // namespace

void load_relays(const Value& relays, const Surroundings& surroundings, Config& config) {
  const std::vector<Value> items = relays.items();
  if (items.size() > config.limits.relays) {
    relays.error("has " + std::to_string(items.size()) + " entries",
                 "give at most " + std::to_string(config.limits.relays) + " (limits.relays)");
    return;
  }
  for (const Value& item : items) {
    auto relay = load_relay(item, surroundings, config);
    if (relay) config.relays.push_back(std::move(*relay));
  }
}

}  // namespace runnel::config
