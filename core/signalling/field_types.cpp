#include "core/signalling/field_types.h"

#include <algorithm>
#include <limits>

#include "core/signalling/codec.h"
#include "core/signalling/name.h"

namespace runnel::signalling {
namespace {

constexpr std::size_t kLongestAddress = 64;
constexpr std::uint64_t kTallestPicture = 65'535;  // pixels

bool is_name_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

/// RFC 8866 §9: token-char.
bool is_token_character(char c) noexcept {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`{|}~";
  return is_name_character(c) || kOthers.contains(c);
}

}  // namespace

std::optional<std::string> read_name(const Field& field) {
  const auto text = field.text({1, kMaxNameLength});
  if (!text) return std::nullopt;
  if (is_name(*text)) return std::string(*text);
  field.refuse(quote(*text) +
               " is no name; use letters, digits, '-', '_' or '.', beginning with a letter, a "
               "digit or '_'");
  return std::nullopt;
}

std::optional<std::uint8_t> read_payload_type(const Field& field) {
  const auto number = field.integer({0, 127});
  if (!number) return std::nullopt;
  if (*number < 64 || *number > 95) return static_cast<std::uint8_t>(*number);
  field.refuse("payload types 64 to 95 cannot be told from RTCP; use 96 to 127, or 35 to 63");
  return std::nullopt;
}

std::optional<std::uint32_t> read_32_bits(const Field& field) {
  const auto number = field.integer({0, std::numeric_limits<std::uint32_t>::max()});
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<SocketAddress> read_address(const Field& field) {
  const auto text = field.text({1, kLongestAddress});
  if (!text) return std::nullopt;
  const auto address = SocketAddress::parse(*text);
  if (address && address->port != 0 && !address->ip.is_unspecified()) return address;
  field.refuse(quote(*text) + " is no address to send to; write ADDRESS:PORT, such as " +
               "\"192.0.2.9:6000\" or \"[2001:db8::9]:6000\"");
  return std::nullopt;
}

std::optional<LegNumber> read_leg_number(const Field& field) {
  const auto number = field.integer({1, std::numeric_limits<LegNumber>::max()});
  if (!number) return std::nullopt;
  return static_cast<LegNumber>(*number);
}

std::optional<PeerNumber> read_peer_number(const Field& field) {
  const auto number = field.integer({1, std::numeric_limits<PeerNumber>::max()});
  if (!number) return std::nullopt;
  return static_cast<PeerNumber>(*number);
}

std::optional<std::string> read_sdp(const Field& field) {
  const auto text = field.text({1, kMaxSdpLength});
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::string> read_mid(const Field& field) {
  const auto text = field.text({1, kMaxMidLength});
  if (!text) return std::nullopt;
  if (std::ranges::all_of(*text, is_token_character)) return std::string(*text);
  field.refuse(quote(*text) + " is no token, such as SDP names m-lines and encodings by");
  return std::nullopt;
}

std::optional<relay::LayerWish> read_layers(const Field& field) {
  relay::LayerWish wish;
  if (!field.is_object()) return std::nullopt;
  field.read_into(wish.rid, "rid", read_mid);
  if (const auto height = field.find("max_height")) {
    const auto pixels = height->integer({1, kTallestPicture});
    if (!pixels) return std::nullopt;
    wish.max_height = static_cast<std::uint32_t>(*pixels);
  }
  if (wish.max_height && !wish.rid.empty()) {
    field.refuse(
        "'rid' names one encoding, beside which 'max_height' means nothing; leave one out");
  }
  return wish;
}

std::string require_name(const Field& object, std::string_view name) {
  const auto field = object.require(name, "a name");
  return field ? read_name(*field).value_or("") : "";
}

LegNumber require_leg_number(const Field& object) {
  const auto field = object.require("leg", "the number of a leg");
  return field ? read_leg_number(*field).value_or(0) : 0;
}

PeerNumber require_peer_number(const Field& object) {
  const auto field = object.require("peer", "the number of a peer connection");
  return field ? read_peer_number(*field).value_or(0) : 0;
}

std::string require_sdp(const Field& object, std::string_view name) {
  const auto field = object.require(name, "a session description");
  return field ? read_sdp(*field).value_or("") : "";
}

}  // namespace runnel::signalling
