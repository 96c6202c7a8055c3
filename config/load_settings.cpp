#include "config/load_settings.h"

#include <algorithm>

#include "config/addresses.h"
#include "config/load_limits.h"

namespace runnel::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kMostAnnounced = 16;  // each of them is a candidate of every connection

constexpr Choice<LogLevel> kLogLevels[] = {{"trace", LogLevel::trace},
                                           {"debug", LogLevel::debug},
                                           {"info", LogLevel::info},
                                           {"warning", LogLevel::warning},
                                           {"error", LogLevel::error}};
constexpr Choice<LogFormat> kLogFormats[] = {{"text", LogFormat::text}, {"json", LogFormat::json}};

/// nullopt after a problem, so that relays are checked against the default instead of a rest.
std::optional<std::vector<Listen>> load_listeners(const Value& value) {
  std::vector<Listen> listeners;
  bool good = true;
  for (const Value& item : value.items()) {
    if (listeners.size() == kMostListeners) {
      item.error("more than " + std::to_string(kMostListeners) + " addresses",
                 "use \"0.0.0.0:PORT\" and \"[::]:PORT\" for all of them");
      return std::nullopt;
    }
    const auto text = item.text();
    const auto address = text ? parse_listen(*text) : std::unexpected(Complaint{});
    if (text && !address) item.error(address.error().text, address.error().remedy);
    if (address) listeners.push_back({*address, item.origin()});
    good = good && address.has_value();
  }
  if (!good) return std::nullopt;
  return listeners;
}

void load_announce(const Value& value, std::vector<std::string>& announce) {
  announce.clear();
  const std::vector<Value> items = value.items();
  if (items.size() > kMostAnnounced) {
    return value.error("has " + std::to_string(items.size()) + " entries",
                       "give at most " + std::to_string(kMostAnnounced));
  }
  for (const Value& item : items) {
    const auto text = item.text();
    if (!text) continue;
    const auto host = parse_announced(*text);
    if (!host) {
      item.error(host.error().text, host.error().remedy);
    } else if (std::find(announce.begin(), announce.end(), *host) == announce.end()) {
      announce.push_back(*host);
    }
  }
}

void load_log(const Mapping& log, Log& result) {
  log.read_into(result.level, "level", [](const Value& v) { return v.choice(kLogLevels); });
  log.read_into(result.format, "format", [](const Value& v) { return v.choice(kLogFormats); });
  log.read_into(result.statistics_interval, "statistics_interval", [](const Value& v) {
    auto interval = v.duration({milliseconds(0), hours(24)});
    if (interval && *interval > milliseconds(0) && *interval < seconds(1)) {
      v.error("is shorter than a second", "use 1s to 24h, or 0 for statistics on SIGUSR1 alone");
      interval.reset();
    }
    return interval;
  });
}

}  // namespace

void load_settings(const Mapping& root, Config& config) {
  if (const auto value = root.find("listen")) {
    if (const auto listen = value->mapping(kListenSchema)) {
      listen->read_into(config.media, "media", load_listeners);
      listen->read_into(config.signalling, "signalling", load_listeners);
    }
  }
  if (const auto value = root.find("announce")) load_announce(*value, config.announce);
  if (const auto value = root.find("log")) {
    if (const auto log = value->mapping(kLogSchema)) load_log(*log, config.log);
  }
  if (const auto value = root.find("limits")) {
    if (const auto limits = value->mapping(kLimitsSchema)) load_limits(*limits, config.limits);
  }
}

}  // namespace runnel::config
