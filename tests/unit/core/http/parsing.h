// Feeds a parser as a connection would, piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/http/request_parser.h"

namespace runnel::http {

inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string text_of(const Request& request) {
  return {request.body.begin(), request.body.end()};
}

/// What became of the first request in some bytes.
struct Outcome {
  RequestParser::Step step = RequestParser::Step::need_more;
  Request request;
  RequestError error;
  bool head_was_told = false;
  /// What was not consumed.
  std::string rest;
};

/// `piece_size` bytes at a time, with what was left before them.
inline Outcome parse_in_pieces(std::string_view text, std::size_t piece_size,
                               RequestLimits limits = {}) {
  RequestParser parser(limits);
  Outcome outcome;
  std::string waiting;
  while (true) {
    const auto progress = parser.feed(bytes_of(waiting));
    waiting.erase(0, progress.consumed);
    outcome.step = progress.step;
    if (progress.step == RequestParser::Step::head) {
      outcome.head_was_told = true;
      continue;
    }
    if (progress.step != RequestParser::Step::need_more || text.empty()) break;
    const std::string_view piece = text.substr(0, piece_size);
    waiting += piece;
    text.remove_prefix(piece.size());
  }
  outcome.request = parser.request();
  outcome.error = parser.error();
  outcome.rest = waiting + std::string(text);
  return outcome;
}

inline Outcome parse(std::string_view text, RequestLimits limits = {}) {
  return parse_in_pieces(text, text.size() + 1, limits);
}

/// Status of the refusal; 0: complete, -1: waits for more.
inline int status_of(std::string_view text, RequestLimits limits = {}) {
  const Outcome outcome = parse(text, limits);
  if (outcome.step == RequestParser::Step::failed) return outcome.error.status;
  return outcome.step == RequestParser::Step::complete ? 0 : -1;
}

inline constexpr std::string_view kUpgrade =
    "GET /v1/signal?token=a%20b HTTP/1.1\r\n"
    "Host: live.example:8443\r\n"
    "Upgrade: websocket\r\n"
    "Connection: keep-alive, Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "\r\n";

inline constexpr std::string_view kChunked =
    "POST /v1/streams HTTP/1.1\r\n"
    "Host: a\r\n"
    "Transfer-Encoding: chunked\r\n"
    "\r\n"
    "5\r\nhello\r\n"
    "00A;name=\"quoted; value\" ; x\r\n, chunked!\r\n"
    "0;last\r\n"
    "Authorization: Bearer smuggled\r\n"
    "X-Checksum: 1\r\n"
    "\r\n";

inline std::string post(std::size_t body_size) {
  return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body_size) + "\r\n\r\n" +
         std::string(body_size, 'x');
}

}  // namespace runnel::http
