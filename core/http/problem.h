// Errors as documents that programs and people read: application/problem+json (RFC 9457).
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/http/request.h"
#include "core/http/request_parser.h"
#include "core/http/response.h"

namespace runnel::http {

struct Problem {
  std::uint16_t status = 500;
  /// Stable, for programs, such as "stream_busy"; left out of the document when it is empty.
  std::string code = {};
  /// A sentence for people. No secrets: it is sent to the client.
  std::string detail = {};
  /// Further members of the document, with text as value.
  std::vector<std::pair<std::string, std::string>> extra = {};
  /// When it makes sense to try again; rounded up to seconds as Retry-After, exact as "retry_ms".
  std::chrono::milliseconds retry_after{0};
};

/// {"type":"about:blank","title":<reason phrase>,"status":...,"code":...,"detail":...}. Bytes that
/// are not UTF-8 are replaced.
[[nodiscard]] Response to_response(const Problem& problem);

/// What RequestParser refused, with the code "bad_request" (or as fits the status).
[[nodiscard]] Response to_response(const RequestError& error);
/// 405 with Allow; HEAD is named beside GET.
[[nodiscard]] Response method_not_allowed(std::span<const Method> allowed);
/// 401 with `WWW-Authenticate: Bearer` (RFC 6750 §3).
[[nodiscard]] Response unauthorized(std::string code, std::string detail);
/// 204 with Allow, the answer to OPTIONS.
[[nodiscard]] Response options_response(std::span<const Method> allowed);

}  // namespace runnel::http
