#include "config/load_signalling.h"

#include <algorithm>

#include "config/addresses.h"

namespace runnel::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kMostEntries = 1'000;

/// The items of a list through `read`; nullopt after a problem.
template <typename T, typename Read>
std::optional<std::vector<T>> load_list(const Value& list, Read read) {
  const std::vector<Value> items = list.items();
  if (items.size() > kMostEntries) {
    list.error("has " + std::to_string(items.size()) + " entries",
               "give at most " + std::to_string(kMostEntries));
    return std::nullopt;
  }
  std::vector<T> result;
  bool good = true;
  for (const Value& item : items) {
    const auto text = item.text();
    const std::expected<T, Complaint> entry = text ? read(*text) : std::unexpected(Complaint{});
    if (text && !entry) item.error(entry.error().text, entry.error().remedy);
    if (entry) result.push_back(*entry);
    good = good && entry.has_value();
  }
  if (!good) return std::nullopt;
  return result;
}

std::optional<std::vector<IpNetwork>> load_networks(const Value& value) {
  return load_list<IpNetwork>(value, parse_network);
}

std::optional<std::vector<std::string>> load_origins(const Value& value) {
  return load_list<std::string>(value, parse_origin);
}

}  // namespace

void load_signalling(const Value& value, SignallingSettings& settings) {
  const auto map = value.mapping(kSignallingSchema);
  if (!map) return;
  map->read_into(settings.origins, "origins", load_origins);
  map->read_into(settings.rtp_networks, "rtp_networks", load_networks);
  map->read_into(settings.srtp_networks, "srtp_networks", load_networks);
  map->read_into(settings.hold, "hold",
                 [](const Value& v) { return v.duration({seconds(1), hours(24)}); });
  map->read_into(settings.ping_interval, "ping_interval",
                 [](const Value& v) { return v.duration({seconds(1), minutes(10)}); });
}

}  // namespace runnel::config
