// The opening handshake (RFC 6455 §4): what its header values must be. Heads of HTTP messages are
// parsed elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/websocket/permessage_deflate.h"

namespace runnel::websocket {

/// Values of a request's head; empty where a field is missing. Fields that occur several times are
/// joined with ", " in their order, as RFC 9110 §5.3 has it (so a second key makes the key
/// invalid).
struct HandshakeRequest {
  std::string_view method{};
  bool is_http_1_1 = true;  // or a later 1.x
  bool has_body = false;    // a Content-Length other than 0, or a Transfer-Encoding
  std::string_view host{};
  std::string_view upgrade{};
  std::string_view connection{};
  std::string_view key{};         // Sec-WebSocket-Key
  std::string_view version{};     // Sec-WebSocket-Version
  std::string_view protocols{};   // Sec-WebSocket-Protocol
  std::string_view extensions{};  // Sec-WebSocket-Extensions
  std::string_view origin{};
};

enum class HandshakeError : std::uint8_t {
  method_not_get,        // 405
  http_version,          // 505
  unexpected_body,       // 400
  missing_host,          // 400
  not_an_upgrade,        // 426: Upgrade does not name "websocket", or Connection not "Upgrade"
  unsupported_version,   // 426, with Sec-WebSocket-Version: 13
  invalid_key,           // 400: missing, or not 16 bytes of base64
  malformed_protocols,   // 400
  no_common_protocol,    // 400
  malformed_extensions,  // 400
  forbidden_origin,      // 403
  // What a client finds in a response.
  not_switching,          // another status than 101
  wrong_accept,           // Sec-WebSocket-Accept does not belong to the key
  unexpected_protocol,    // one that was not offered, or none where one was required
  unexpected_extensions,  // some that were not offered, or not so
};

/// A sentence for people.
[[nodiscard]] std::string_view to_string(HandshakeError error) noexcept;
/// The status of the response that refuses a request.
[[nodiscard]] int http_status(HandshakeError error) noexcept;

/// Whether a request asks for a WebSocket at all: its Upgrade names it. Others are plain HTTP.
[[nodiscard]] bool asks_for_websocket(const HandshakeRequest& request) noexcept;

/// Sec-WebSocket-Accept of a Sec-WebSocket-Key (§4.2.2 step 5.4).
[[nodiscard]] std::string accept_key(std::string_view key);

struct HandshakeOptions {
  /// Ours, the preferred first. The first of ours that the client offers is selected.
  std::span<const std::string_view> protocols{};
  /// Refuse a client that offers none of ours; otherwise it gets none.
  bool is_protocol_required = false;
  /// Serialized origins, such as "https://example.org"; without any, every origin is welcome.
  /// Requests without an Origin do not come from a page and are always welcome.
  std::span<const std::string> allowed_origins{};
  /// Without it, compression is declined.
  std::optional<DeflatePolicy> deflate = std::nullopt;
};

struct AcceptedHandshake {
  std::string accept{};      // Sec-WebSocket-Accept
  std::string protocol{};    // Sec-WebSocket-Protocol; none when empty
  std::string extensions{};  // Sec-WebSocket-Extensions; none when empty
  std::optional<DeflateParameters> deflate = std::nullopt;  // for Connection
};

/// Server: checks a request (§4.2.1) and decides what is agreed (§4.2.2).
[[nodiscard]] std::expected<AcceptedHandshake, HandshakeError> accept_handshake(
    const HandshakeRequest& request, const HandshakeOptions& options);

/// The whole head of the 101 response, empty line included.
[[nodiscard]] std::string response_head(const AcceptedHandshake& accepted);

struct ClientHandshake {
  std::string_view host{};    // Host: name and, unless usual, port
  std::string_view target{};  // such as "/v1/signal"
  std::span<const std::string_view> protocols{};
  std::array<std::uint8_t, 16> nonce{};  // fresh random bytes
  std::optional<DeflatePolicy> deflate = std::nullopt;
  std::string_view more_fields{};  // further header lines, each with its CRLF
};

/// Client: the whole head of the request (§4.1).
[[nodiscard]] std::string request_head(const ClientHandshake& handshake);

/// Values of a response's head, joined as in HandshakeRequest.
struct HandshakeResponse {
  int status = 0;
  std::string_view upgrade{};
  std::string_view connection{};
  std::string_view accept{};
  std::string_view protocol{};
  std::string_view extensions{};
};

struct AgreedHandshake {
  std::string protocol{};  // empty: none
  std::optional<DeflateParameters> deflate = std::nullopt;
};

/// Client: checks the response to request_head(handshake).
[[nodiscard]] std::expected<AgreedHandshake, HandshakeError> check_response(
    const HandshakeResponse& response, const ClientHandshake& handshake);

}  // namespace runnel::websocket
