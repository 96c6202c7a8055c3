#include "config/load_webrtc.h"

#include <algorithm>
#include <utility>

#include "config/addresses.h"
#include "config/load_certificate_files.h"
#include "config/secret_text.h"

namespace runnel::config {
namespace {

constexpr std::size_t kMostIceServers = 16;
constexpr std::size_t kMostUrls = 8;  // of one server
constexpr std::uint64_t kLowestBitrate = 100'000;
constexpr std::uint64_t kHighestBitrate = 1'000'000'000;

bool is_turn(std::string_view url) noexcept {
  return url.starts_with("turn:") || url.starts_with("turns:");
}

std::vector<std::string> load_urls(const Value& list) {
  std::vector<std::string> urls;
  const std::vector<Value> items = list.items();
  if (items.empty())
    list.error("names no server", "write \"stun:HOST:PORT\" or \"turn:HOST:PORT\"");
  if (items.size() > kMostUrls) {
    list.error("has " + std::to_string(items.size()) + " entries",
               "give at most " + std::to_string(kMostUrls) + " for one server");
    return urls;
  }
  for (const Value& item : items) {
    const auto text = item.text();
    if (!text) continue;
    auto url = parse_ice_server_url(*text);
    if (url) {
      urls.push_back(std::move(*url));
    } else {
      item.error(url.error().text, url.error().remedy);
    }
  }
  return urls;
}

std::optional<std::string> load_credential(const Value& value, const Surroundings& surroundings) {
  const auto secret = load_inline_secret(value, surroundings);
  if (!secret) return std::nullopt;
  return std::string(secret->trimmed());
}

std::optional<IceServer> load_ice_server(const Value& value, const Surroundings& surroundings) {
  const auto map = value.mapping(kIceServerSchema);
  if (!map) return std::nullopt;
  IceServer server;
  if (const auto urls = map->require("urls", "add urls: [\"stun:HOST:PORT\"]")) {
    server.urls = load_urls(*urls);
  }
  map->read_into(server.username, "username", [](const Value& v) -> std::optional<std::string> {
    const auto text = v.text();
    if (!text) return std::nullopt;
    return std::string(*text);
  });
  map->read_into(server.credential, "credential",
                 [&](const Value& v) { return load_credential(v, surroundings); });
  if (std::any_of(server.urls.begin(), server.urls.end(), is_turn) &&
      !(map->has("username") && map->has("credential"))) {
    value.error("a TURN server without username and credential, which browsers refuse",
                "add both, as the TURN server knows them");
  }
  if (server.urls.empty()) return std::nullopt;
  return server;
}

std::optional<std::vector<IceServer>> load_ice_servers(const Value& list,
                                                       const Surroundings& surroundings) {
  const std::vector<Value> items = list.items();
  if (items.size() > kMostIceServers) {
    list.error("has " + std::to_string(items.size()) + " entries",
               "give at most " + std::to_string(kMostIceServers));
    return std::nullopt;
  }
  std::vector<IceServer> servers;
  for (const Value& item : items) {
    if (auto server = load_ice_server(item, surroundings)) servers.push_back(std::move(*server));
  }
  return servers;
}

std::optional<bool> load_boolean(const Value& value) {
  return value.boolean();
}

}  // namespace

void load_webrtc(const Value& value, const Surroundings& surroundings, WebRtc& webrtc) {
  const auto map = value.mapping(kWebRtcSchema);
  if (!map) return;
  map->read_into(webrtc.enabled, "enabled", load_boolean);
  map->read_into(webrtc.ice_tcp, "ice_tcp", load_boolean);
  if (map->has("certificate") || map->has("key")) {
    webrtc.certificate = load_certificate_files(*map, surroundings);
  }
  map->read_into(webrtc.ice_servers, "ice_servers",
                 [&](const Value& v) { return load_ice_servers(v, surroundings); });
  map->read_into(webrtc.publisher_bitrate, "publisher_bitrate",
                 [](const Value& v) { return v.bitrate({kLowestBitrate, kHighestBitrate}); });
}

}  // namespace runnel::config
