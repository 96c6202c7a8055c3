// Takes HTTP/1.1 requests from the bytes of a connection (RFC 9112), and refuses what two readers
// could understand in two ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/base/bytes.h"
#include "core/http/request.h"

namespace runnel::http {

/// All sizes in bytes; the value itself is allowed.
struct RequestLimits {
  /// Request line, fields and the empty line behind them, with all line ends. Above: 431.
  std::size_t head_size = 16 * 1024;
  /// Above: 431.
  std::size_t header_count = 100;
  /// Above: 414.
  std::size_t target_length = 8 * 1024;
  /// For requests of which `accept_body` says nothing. Above: 413.
  std::size_t body_size = 64 * 1024;
  /// One chunk's size line with its extensions, or all trailers together. Above: 400.
  std::size_t chunk_line_size = 4 * 1024;
};

/// Why a request was refused: what to answer, after which the connection must be closed.
struct RequestError {
  std::uint16_t status = 400;
  /// A sentence for people, without anything that the client sent.
  std::string_view text;
};

/// Reads one request after the other:
///
///   feed -> need_more ... -> [head -> accept_body -> feed ...] -> complete -> next -> feed ...
///
/// Bytes behind a request (the next request, the first WebSocket frames) are not consumed; the
/// caller keeps them. However the bytes are cut into pieces, the outcome is the same. After a
/// failure nothing is read any more. Not thread-safe; may be moved.
class RequestParser {
 public:
  enum class Step : std::uint8_t {
    need_more,  // all bytes were consumed
    head,       // told once, when a body follows: everything but `body` is known
    complete,   // the request is whole; next() makes room for another one
    failed,     // error() says why
  };
  struct Progress {
    Step step = Step::need_more;
    /// How many bytes of the front are done with. Less than given only when `step` is not
    /// need_more.
    std::size_t consumed = 0;
  };

  explicit RequestParser(RequestLimits limits = {});
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;
  ~RequestParser();

  /// `bytes` are what was not consumed before, and what has come since.
  Progress feed(ByteView bytes);

  /// After `head`: how large this body may be, instead of RequestLimits::body_size. False: the
  /// client has declared more, and the parser has failed with 413. Call it before `100 Continue` is
  /// sent.
  [[nodiscard]] bool accept_body(std::size_t limit);

  /// After `head` (without `body`) and `complete`.
  [[nodiscard]] const Request& request() const noexcept;
  /// The same, to be moved from after `complete`.
  [[nodiscard]] Request& request() noexcept;
  /// After `failed`. What `request()` holds then is of no meaning, except when only the body was at
  /// fault.
  [[nodiscard]] const RequestError& error() const noexcept;
  /// Whether a request has begun and is not complete: then a silent client is a slow one and not an
  /// idle one.
  [[nodiscard]] bool in_request() const noexcept;

  /// After `complete`: forget this request and expect the next. Without effect after a failure.
  void next();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace runnel::http
