// What two endpoints agree on about permessage-deflate (RFC 7692 §7.1).
#include <algorithm>
#include <array>

#include "core/websocket/header_values.h"
#include "core/websocket/permessage_deflate.h"

namespace runnel::websocket {
namespace {

constexpr std::string_view kName = "permessage-deflate";
constexpr std::string_view kServerNoContextTakeover = "server_no_context_takeover";
constexpr std::string_view kClientNoContextTakeover = "client_no_context_takeover";
constexpr std::string_view kServerMaxWindowBits = "server_max_window_bits";
constexpr std::string_view kClientMaxWindowBits = "client_max_window_bits";
constexpr std::uint8_t kMostBits = 15;

/// One offer or answer, as it is written.
struct Written {
  bool server_no_context_takeover = false;
  bool client_no_context_takeover = false;
  std::optional<std::uint8_t> server_max_window_bits;
  std::optional<std::uint8_t> client_max_window_bits;
  bool client_max_window_bits_without_value = false;
};

/// 8 to 15 without leading zeros (RFC 7692 §7.1.2).
std::optional<std::uint8_t> parse_window_bits(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 8> kNumbers{"8", "9", "10", "11", "12", "13", "14", "15"};
  const auto found = std::ranges::find(kNumbers, text);
  if (found == kNumbers.end()) return std::nullopt;
  return static_cast<std::uint8_t>(8 + (found - kNumbers.begin()));
}

/// Sets a flag once; a parameter that has a value or comes twice is malformed.
bool set_flag(bool& flag, const ExtensionParameter& parameter) noexcept {
  if (flag || parameter.value) return false;
  flag = true;
  return true;
}

bool set_bits(std::optional<std::uint8_t>& bits, const ExtensionParameter& parameter) noexcept {
  if (bits || !parameter.value) return false;
  bits = parse_window_bits(*parameter.value);
  return bits.has_value();
}

bool set_client_bits(Written& written, const ExtensionParameter& parameter) noexcept {
  if (written.client_max_window_bits || written.client_max_window_bits_without_value) return false;
  if (parameter.value) return set_bits(written.client_max_window_bits, parameter);
  written.client_max_window_bits_without_value = true;
  return true;
}

bool apply(Written& written, const ExtensionParameter& parameter) noexcept {
  if (parameter.name == kServerNoContextTakeover) {
    return set_flag(written.server_no_context_takeover, parameter);
  }
  if (parameter.name == kClientNoContextTakeover) {
    return set_flag(written.client_no_context_takeover, parameter);
  }
  if (parameter.name == kServerMaxWindowBits) {
    return set_bits(written.server_max_window_bits, parameter);
  }
  if (parameter.name == kClientMaxWindowBits) return set_client_bits(written, parameter);
  return false;
}

std::optional<Written> read(const Extension& extension) noexcept {
  if (extension.name != kName) return std::nullopt;
  Written written;
  for (const ExtensionParameter& parameter : extension.parameters) {
    if (!apply(written, parameter)) return std::nullopt;
  }
  return written;
}

std::string write(const Written& written) {
  std::string text(kName);
  const auto add = [&text](std::string_view name) { text.append("; ").append(name); };
  if (written.server_no_context_takeover) add(kServerNoContextTakeover);
  if (written.client_no_context_takeover) add(kClientNoContextTakeover);
  if (written.server_max_window_bits) {
    add(kServerMaxWindowBits);
    text.append("=").append(std::to_string(*written.server_max_window_bits));
  }
  if (written.client_max_window_bits || written.client_max_window_bits_without_value) {
    add(kClientMaxWindowBits);
  }
  if (written.client_max_window_bits) {
    text.append("=").append(std::to_string(*written.client_max_window_bits));
  }
  return text;
}

std::optional<std::uint8_t> unless_most(std::uint8_t bits) noexcept {
  return bits == kMostBits ? std::nullopt : std::optional(bits);
}

std::optional<DeflateAnswer> answer(const Written& offer, const DeflatePolicy& policy) {
  const bool can_limit_client =
      offer.client_max_window_bits || offer.client_max_window_bits_without_value;
  if (!can_limit_client && policy.client_max_window_bits < kMostBits) return std::nullopt;
  const DeflateParameters agreed{
      .server_no_context_takeover =
          offer.server_no_context_takeover || policy.server_no_context_takeover,
      .client_no_context_takeover =
          offer.client_no_context_takeover || policy.client_no_context_takeover,
      .server_max_window_bits =
          std::min(offer.server_max_window_bits.value_or(kMostBits), policy.server_max_window_bits),
      .client_max_window_bits = std::min(offer.client_max_window_bits.value_or(kMostBits),
                                         policy.client_max_window_bits)};
  Written written{.server_no_context_takeover = agreed.server_no_context_takeover,
                  .client_no_context_takeover = agreed.client_no_context_takeover,
                  .server_max_window_bits = unless_most(agreed.server_max_window_bits),
                  .client_max_window_bits = unless_most(agreed.client_max_window_bits)};
  // Asked for, it is answered even where it limits nothing.
  if (offer.server_max_window_bits) written.server_max_window_bits = agreed.server_max_window_bits;
  return DeflateAnswer{.parameters = agreed, .extension = write(written)};
}

}  // namespace

std::optional<DeflateAnswer> accept_deflate_offer(std::string_view extensions,
                                                  const DeflatePolicy& policy) {
  const auto list = parse_extensions(extensions);
  if (!list) return std::nullopt;
  for (const Extension& extension : *list) {
    const auto offer = read(extension);
    if (!offer) continue;
    if (auto accepted = answer(*offer, policy)) return accepted;
  }
  return std::nullopt;
}

std::string deflate_offer(const DeflatePolicy& policy) {
  Written offer{.server_no_context_takeover = policy.server_no_context_takeover,
                .client_no_context_takeover = policy.client_no_context_takeover,
                .server_max_window_bits = unless_most(policy.server_max_window_bits),
                .client_max_window_bits = unless_most(policy.client_max_window_bits)};
  offer.client_max_window_bits_without_value = !offer.client_max_window_bits;
  return write(offer);
}

std::expected<std::optional<DeflateParameters>, std::monostate> read_deflate_answer(
    std::string_view extensions, const DeflatePolicy& policy) {
  const auto list = parse_extensions(extensions);
  if (!list || list->size() > 1) return std::unexpected(std::monostate{});
  if (list->empty()) return std::nullopt;
  const auto written = read(list->front());
  const bool is_ours =
      written && !written->client_max_window_bits_without_value &&
      (written->server_no_context_takeover || !policy.server_no_context_takeover) &&
      written->server_max_window_bits.value_or(kMostBits) <= policy.server_max_window_bits &&
      written->client_max_window_bits.value_or(8) <= policy.client_max_window_bits;
  if (!is_ours) return std::unexpected(std::monostate{});
  return DeflateParameters{
      .server_no_context_takeover = written->server_no_context_takeover,
      .client_no_context_takeover =
          written->client_no_context_takeover || policy.client_no_context_takeover,
      .server_max_window_bits = written->server_max_window_bits.value_or(kMostBits),
      .client_max_window_bits =
          written->client_max_window_bits.value_or(policy.client_max_window_bits)};
}

}  // namespace runnel::websocket
