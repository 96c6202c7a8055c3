// One HTTP/1.1 response and its bytes (RFC 9110 §15, RFC 9112 §4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/http/header_list.h"
#include "core/http/request.h"

namespace runnel::http {

/// The interim answer to a request that expects it (RFC 9110 §15.2.1).
inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

/// "Not Found"; of an unknown status "".
[[nodiscard]] std::string_view reason_phrase(std::uint16_t status) noexcept;

struct Response {
  std::uint16_t status = 200;
  /// Without Content-Length, Connection and Transfer-Encoding, which the writer makes. An Upgrade
  /// field is named in Connection by the writer (RFC 9110 §7.8).
  HeaderList headers = {};
  std::string body = {};

  /// 200 with a Content-Type.
  [[nodiscard]] static Response text(std::string_view content_type, std::string body);
};

struct WriteOptions {
  /// What the Connection field says; the caller closes the connection accordingly.
  bool keep_alive = false;
  /// The answer to HEAD: the head of what GET would have got (RFC 9110 §9.3.2).
  bool head_only = false;
  /// The body has only begun, and ends with the connection: there is no Content-Length, and
  /// `keep_alive` is false (RFC 9112 §6.3).
  bool is_endless = false;

  /// As the request wants it.
  [[nodiscard]] static WriteOptions for_request(const Request& request) noexcept {
    return {.keep_alive = request.keep_alive, .head_only = request.method == Method::head};
  }
};

/// The bytes to send. Content-Length is always written, except with 1xx, 204 and 304, which have no
/// body. There is no Date: the core has no clock.
/// A field with a name that is no token, with control characters in its value (header injection) or
/// of the writer's own names never leaves: instead of such a response an empty 500 is written.
[[nodiscard]] std::string write_response(const Response& response, WriteOptions options);

}  // namespace runnel::http
