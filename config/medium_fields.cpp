#include "config/medium_fields.h"

#include <limits>

#include "config/addresses.h"

namespace runnel::config {

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
  const auto number = value.integer({0, std::numeric_limits<std::uint32_t>::max()});
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
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
    value.warn(quote(*text) + " is an address that only appears in documentation",
               "write the receiver's own address");
  }
  endpoint->origin = value.origin();
  return std::move(*endpoint);
}

}  // namespace runnel::config
