// Our JSON: text to requests, answers and events to text. PROTOCOL.md is its description.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "core/signalling/answer.h"
#include "core/signalling/error.h"
#include "core/signalling/request.h"

namespace runnel::signalling {

/// Objects and arrays inside of one another, at most.
inline constexpr std::size_t kMaxDepth = 16;
inline constexpr std::size_t kMaxNameLength = 64;  // of streams and tracks
inline constexpr std::size_t kMaxTracks = 16;      // in one request
inline constexpr std::size_t kMaxTokenLength = 8192;
inline constexpr std::size_t kMaxSdpLength = 256 * 1024;
inline constexpr std::size_t kMaxMidLength = 16;  // of a=mid and a=rid

struct IncomingRequest {
  RequestId id = 0;
  Request request;
};
/// Why a text is no request; `id` when at least that could be read, so that the answer quotes it.
struct Refusal {
  std::optional<RequestId> id;
  Error error;
};

/// A message of the WebSocket. Unknown fields are ignored; so is the order of fields. A name that
/// stands twice is refused. Never throws.
[[nodiscard]] std::expected<IncomingRequest, Refusal> decode(std::string_view text);
/// What the path of a REST request has said already.
struct Place {
  std::optional<std::string> stream;
  std::optional<LegNumber> leg;
};
/// The body of a REST request: the fields of `verb` without `id` and `do`, and without those of
/// `where`, which it may repeat and must not contradict. An empty body is `{}`.
[[nodiscard]] std::expected<Request, Error> decode_body(std::string_view verb,
                                                        std::string_view text,
                                                        const Place& where = {});

[[nodiscard]] std::string encode(RequestId id, const Answer& answer);
/// `id` as in Refusal: absent gives `"re":null`.
[[nodiscard]] std::string encode(std::optional<RequestId> id, const Error& error);
[[nodiscard]] std::string encode(const Event& event);
/// What stands behind `ok`, as REST answers it.
[[nodiscard]] std::string encode_body(const Answer& answer);
/// RFC 9457: application/problem+json, with `code` and `retry_ms` beside the standard members.
[[nodiscard]] std::string encode_problem(const Error& error);

/// The JSON schema of everything above (schema.json beside this file).
[[nodiscard]] std::string_view schema();

}  // namespace runnel::signalling
