#include "core/websocket/handshake.h"

#include <algorithm>

#include "core/base/base64.h"
#include "core/crypto/sha1.h"
#include "core/websocket/header_values.h"

namespace runnel::websocket {
namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::string_view kVersion = "13";
constexpr std::size_t kNonceSize = 16;
constexpr std::size_t kKeySize = 24;  // 16 bytes in base64
constexpr std::size_t kSha1Size = 20;

void add_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

bool is_valid_key(std::string_view key) noexcept {
  std::array<std::uint8_t, kNonceSize> nonce;
  return key.size() == kKeySize && decode_base64(key, nonce) == kNonceSize;
}

std::optional<HandshakeError> refusal(const HandshakeRequest& request,
                                      const HandshakeOptions& options) {
  if (request.method != "GET") return HandshakeError::method_not_get;
  if (!request.is_http_1_1) return HandshakeError::http_version;
  if (request.has_body) return HandshakeError::unexpected_body;
  if (request.host.empty()) return HandshakeError::missing_host;
  if (!asks_for_websocket(request) || !list_has_token(request.connection, "upgrade")) {
    return HandshakeError::not_an_upgrade;
  }
  if (request.version != kVersion) return HandshakeError::unsupported_version;
  if (!is_valid_key(request.key)) return HandshakeError::invalid_key;
  if (!request.origin.empty() && !options.allowed_origins.empty() &&
      std::ranges::find(options.allowed_origins, request.origin) == options.allowed_origins.end()) {
    return HandshakeError::forbidden_origin;
  }
  if (!parse_extensions(request.extensions)) return HandshakeError::malformed_extensions;
  return std::nullopt;
}

/// The first of ours that is offered; none when empty.
std::expected<std::string, HandshakeError> select_protocol(std::string_view offered_list,
                                                           const HandshakeOptions& options) {
  const auto offered = parse_token_list(offered_list);
  if (!offered) return std::unexpected(HandshakeError::malformed_protocols);
  for (const std::string_view ours : options.protocols) {
    if (std::ranges::find(*offered, ours) != offered->end()) return std::string(ours);
  }
  if (options.is_protocol_required) return std::unexpected(HandshakeError::no_common_protocol);
  return std::string();
}

std::string key_of(const ClientHandshake& handshake) {
  return encode_base64(handshake.nonce);
}

}  // namespace

std::string_view to_string(HandshakeError error) noexcept {
  switch (error) {
    case HandshakeError::method_not_get:
      return "A WebSocket is opened with GET.";
    case HandshakeError::http_version:
      return "A WebSocket is opened with HTTP/1.1.";
    case HandshakeError::unexpected_body:
      return "A request that opens a WebSocket has no body.";
    case HandshakeError::missing_host:
      return "The Host field is missing.";
    case HandshakeError::not_an_upgrade:
      return "Here is a WebSocket: ask for it with \"Connection: Upgrade\" and "
             "\"Upgrade: websocket\".";
    case HandshakeError::unsupported_version:
      return "Sec-WebSocket-Version must be 13.";
    case HandshakeError::invalid_key:
      return "Sec-WebSocket-Key must be 16 bytes in base64.";
    case HandshakeError::malformed_protocols:
      return "Sec-WebSocket-Protocol is no list of tokens.";
    case HandshakeError::no_common_protocol:
      return "Sec-WebSocket-Protocol names no protocol that is spoken here.";
    case HandshakeError::malformed_extensions:
      return "Sec-WebSocket-Extensions is malformed.";
    case HandshakeError::forbidden_origin:
      return "Pages of this origin may not open a WebSocket here.";
    case HandshakeError::not_switching:
      return "The server did not switch to WebSocket.";
    case HandshakeError::wrong_accept:
      return "Sec-WebSocket-Accept does not belong to the key that was sent.";
    case HandshakeError::unexpected_protocol:
      return "The server selected a protocol that was not offered.";
    case HandshakeError::unexpected_extensions:
      return "The server selected an extension that was not offered.";
  }
  return "The opening handshake failed.";
}

int http_status(HandshakeError error) noexcept {
  switch (error) {
    case HandshakeError::method_not_get:
      return 405;
    case HandshakeError::http_version:
      return 505;
    case HandshakeError::not_an_upgrade:
    case HandshakeError::unsupported_version:
      return 426;
    case HandshakeError::forbidden_origin:
      return 403;
    default:
      return 400;
  }
}

bool asks_for_websocket(const HandshakeRequest& request) noexcept {
  return list_has_token(request.upgrade, "websocket");
}

std::string accept_key(std::string_view key) {
  const std::string text = std::string(key).append(kGuid);
  std::array<std::uint8_t, kSha1Size> digest;
  crypto::sha1_finish(crypto::kSha1InitialState, 0,
                      {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                      digest.data());
  return encode_base64(digest);
}

std::expected<AcceptedHandshake, HandshakeError> accept_handshake(const HandshakeRequest& request,
                                                                  const HandshakeOptions& options) {
  if (const auto error = refusal(request, options)) return std::unexpected(*error);
  auto protocol = select_protocol(request.protocols, options);
  if (!protocol) return std::unexpected(protocol.error());
  AcceptedHandshake accepted{.accept = accept_key(request.key),
                             .protocol = std::move(*protocol),
                             .extensions = {},
                             .deflate = std::nullopt};
  if (options.deflate) {
    if (auto answer = accept_deflate_offer(request.extensions, *options.deflate)) {
      accepted.extensions = std::move(answer->extension);
      accepted.deflate = answer->parameters;
    }
  }
  return accepted;
}

std::string response_head(const AcceptedHandshake& accepted) {
  std::string head = "HTTP/1.1 101 Switching Protocols\r\n";
  add_field(head, "Upgrade", "websocket");
  add_field(head, "Connection", "Upgrade");
  add_field(head, "Sec-WebSocket-Accept", accepted.accept);
  if (!accepted.protocol.empty()) add_field(head, "Sec-WebSocket-Protocol", accepted.protocol);
  if (!accepted.extensions.empty()) {
    add_field(head, "Sec-WebSocket-Extensions", accepted.extensions);
  }
  return head.append("\r\n");
}

std::string request_head(const ClientHandshake& handshake) {
  std::string head("GET ");
  head.append(handshake.target).append(" HTTP/1.1\r\n");
  add_field(head, "Host", handshake.host);
  add_field(head, "Upgrade", "websocket");
  add_field(head, "Connection", "Upgrade");
  add_field(head, "Sec-WebSocket-Key", key_of(handshake));
  add_field(head, "Sec-WebSocket-Version", kVersion);
  std::string protocols;
  for (const std::string_view protocol : handshake.protocols) {
    protocols.append(protocols.empty() ? "" : ", ").append(protocol);
  }
  if (!protocols.empty()) add_field(head, "Sec-WebSocket-Protocol", protocols);
  if (handshake.deflate) {
    add_field(head, "Sec-WebSocket-Extensions", deflate_offer(*handshake.deflate));
  }
  return head.append(handshake.more_fields).append("\r\n");
}

std::expected<AgreedHandshake, HandshakeError> check_response(const HandshakeResponse& response,
                                                              const ClientHandshake& handshake) {
  if (response.status != 101 || !equals_ignoring_case(response.upgrade, "websocket") ||
      !list_has_token(response.connection, "upgrade")) {
    return std::unexpected(HandshakeError::not_switching);
  }
  if (response.accept != accept_key(key_of(handshake))) {
    return std::unexpected(HandshakeError::wrong_accept);
  }
  if (!response.protocol.empty() &&
      std::ranges::find(handshake.protocols, response.protocol) == handshake.protocols.end()) {
    return std::unexpected(HandshakeError::unexpected_protocol);
  }
  AgreedHandshake agreed{.protocol = std::string(response.protocol), .deflate = std::nullopt};
  if (handshake.deflate) {
    const auto deflate = read_deflate_answer(response.extensions, *handshake.deflate);
    if (!deflate) return std::unexpected(HandshakeError::unexpected_extensions);
    agreed.deflate = *deflate;
  } else if (!response.extensions.empty()) {
    return std::unexpected(HandshakeError::unexpected_extensions);
  }
  return agreed;
}

}  // namespace runnel::websocket
