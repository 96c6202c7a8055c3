// HTTP on one connection: one request after the other, each in its time.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/http/request_parser.h"

namespace runnel::daemon {

struct HttpSettings {
  http::RequestLimits limits;  // `body_size` included
  /// From a request's first byte (of the first request: from the connection) to its head's end.
  Duration header_timeout = std::chrono::seconds(10);
  /// Between requests, for a body, and for a client to take the next bytes of an answer.
  Duration idle_timeout = std::chrono::seconds(60);
};

/// Knows when a client is slow; what to answer is others' business.
class HttpConversation {
 public:
  enum class Step : std::uint8_t {
    need_more,  // the input is used up
    request,    // request() is whole, and waits to be answered
    refused,    // error() says why; nothing is read any more
  };

  /// `settings` must outlive it.
  HttpConversation(const HttpSettings& settings, Timestamp now);

  /// Takes bytes off the front of `input`. A client that waits for `100 Continue` is told so by
  /// what is appended to `output`.
  [[nodiscard]] Step advance(Timestamp now, ByteSpan& input, std::string& output);
  [[nodiscard]] const http::Request& request() const noexcept { return parser_.request(); }
  [[nodiscard]] const http::RequestError& error() const noexcept { return parser_.error(); }
  /// The request has been answered; the next may come.
  void answered(Timestamp now);

  [[nodiscard]] Timestamp deadline() const noexcept { return deadline_; }
  /// Whether a request has begun, so that it deserves an answer (408) when the deadline is over.
  [[nodiscard]] bool in_request() const noexcept { return parser_.in_request(); }

 private:
  const HttpSettings& settings_;
  http::RequestParser parser_;
  Timestamp deadline_;
  bool is_first_ = true;
  bool has_begun_ = false;  // this request
};

}  // namespace runnel::daemon
