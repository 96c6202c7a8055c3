// The keys that source and receiver media have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/config.h"
#include "config/yaml_reader.h"

namespace runnel::config {

inline constexpr Choice<rtp::MediaKind> kMediaKinds[] = {{"audio", rtp::MediaKind::audio},
                                                         {"video", rtp::MediaKind::video}};
inline constexpr std::uint16_t kLastPort = 65'535;

/// 0 to 127, without 64 to 95, which look like RTCP to whoever shares the port (RFC 5761 §4).
[[nodiscard]] std::optional<std::uint8_t> load_payload_type(const Value& value);
/// An SSRC or a rollover counter.
[[nodiscard]] std::optional<std::uint32_t> load_32_bits(const Value& value);
/// A local address; without `rtcp_mux` the next port has to exist too.
[[nodiscard]] std::optional<Listen> load_listen(const Value& value, bool rtcp_mux);
/// A remote host and port.
[[nodiscard]] std::optional<Endpoint> load_endpoint(const Value& value);

/// Assigns the value of `key` when it is there. False after a problem.
template <typename T, typename Read>
[[nodiscard]] bool load_optional(const Mapping& map, std::string_view key, T& target, Read read) {
  const auto value = map.find(key);
  if (!value) return true;
  auto result = read(*value);
  if (result) target = std::move(*result);
  return result.has_value();
}

}  // namespace runnel::config
