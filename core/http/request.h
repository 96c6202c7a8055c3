// One HTTP/1.1 request, as its receiver sees it (RFC 9110, RFC 9112).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/http/header_list.h"

namespace runnel::http {

enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options, trace, unknown };

/// "GET"; `unknown` is "".
[[nodiscard]] std::string_view to_string(Method method) noexcept;
/// Methods are case-sensitive (RFC 9110 §9.1): "get" is unknown.
[[nodiscard]] Method method_of(std::string_view name) noexcept;

/// Owns all that it holds. Made by RequestParser, which guarantees what is said of the members.
struct Request {
  Method method = Method::unknown;
  /// As sent, also when it is unknown.
  std::string method_name;
  /// As sent, with valid percent-encoding; begins with '/', or is "*" (of OPTIONS). Of a target in
  /// absolute form, the path in it. `Router` decodes it segment by segment.
  std::string path;
  /// What stands behind the first '?', as sent, with valid percent-encoding.
  std::string query;
  /// HTTP/1.x: 0 or 1.
  int minor_version = 1;
  /// The authority of a target in absolute form, else the Host field; may be empty.
  std::string host;
  /// Without what a chunked body has as trailers. Exactly one Host field in HTTP/1.1.
  HeaderList headers;
  std::vector<std::uint8_t> body;
  /// What the client declares; nullopt: no body, or a chunked one.
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  bool expects_continue = false;
  /// Whether the client lets the connection stay open after the answer (RFC 9112 §9.3).
  bool keep_alive = true;

  /// The decoded value of the first parameter of this name; '+' is a space, as forms and
  /// URLSearchParams write it. "?a" and "?a=" have an empty `a`.
  [[nodiscard]] std::optional<std::string> query_parameter(std::string_view name) const;
};

}  // namespace runnel::http
