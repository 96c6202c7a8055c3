// The request target in its forms (RFC 9112 §3.2).
#pragma once

#include <expected>
#include <string_view>

#include "core/http/request_parser.h"

namespace runnel::http {

/// Views into the target that was taken apart.
struct RequestTargetView {
  std::string_view path = {};
  std::string_view query = {};
  /// Of the absolute form; empty otherwise.
  std::string_view authority = {};
};

/// Origin form, absolute form (which every server must understand) of http and https, and the
/// asterisk form of OPTIONS. The authority form belongs to CONNECT, which only proxies serve: 501.
[[nodiscard]] std::expected<RequestTargetView, RequestError> parse_request_target(
    std::string_view method, std::string_view target);

/// Whether `text` can be a host with an optional port (RFC 3986 §3.2); empty is allowed.
[[nodiscard]] bool is_host(std::string_view text) noexcept;

}  // namespace runnel::http
