// Boost.Beast's parser behind our gate, fed so that the cutting of the bytes makes no difference.
#include "core/http/request_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <limits>
#include <string>
#include <utility>

#include "core/http/characters.h"
#include "core/http/head_gate.h"
#include "core/http/request_target.h"

namespace runnel::http {
namespace {

namespace beast = boost::beast;
using Step = RequestParser::Step;

/// Writes what Beast finds into a Request.
class BeastParser final : public beast::http::basic_parser<true> {
 public:
  explicit BeastParser(Request& request) : request_(request) {
    header_limit(std::numeric_limits<std::uint32_t>::max());  // the gate has judged the size
    body_limit(boost::none);                                  // until accept_body says it
  }

  /// Of the content or of the current chunk.
  [[nodiscard]] std::uint64_t content_remaining() const noexcept { return content_remaining_; }

 private:
  using error_code = beast::error_code;
  using string_view = beast::string_view;

  void on_request_impl(beast::http::verb, string_view method, string_view target, int version,
                       error_code&) override {
    request_.method_name.assign(method.data(), method.size());
    request_.method = method_of(request_.method_name);
    request_.minor_version = version % 10;
    // The gate has let this target pass.
    const auto parts = parse_request_target(request_.method_name, {target.data(), target.size()});
    if (!parts) return;
    request_.path = parts->path;
    request_.query = parts->query;
    request_.host = parts->authority;
  }
  void on_response_impl(int, string_view, int, error_code&) override {}

  void on_field_impl(beast::http::field, string_view name, string_view value,
                     error_code&) override {
    // What comes after the head are trailers. Nobody asks for them, and merged into the head they
    // would be a way around every check of it (RFC 9110 §6.5.1).
    if (!is_header_done()) {
      request_.headers.add({name.data(), name.size()}, {value.data(), value.size()});
    }
  }

  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    content_remaining_ = length.value_or(0);
  }
  std::size_t on_body_impl(string_view body, error_code&) override { return append(body); }

  void on_chunk_header_impl(std::uint64_t size, string_view, error_code&) override {
    content_remaining_ = size;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    return append(body);
  }
  void on_finish_impl(error_code&) override {}

  std::size_t append(string_view body) {
    request_.body.insert(request_.body.end(), body.begin(), body.end());
    content_remaining_ -= body.size();
    return body.size();
  }

  Request& request_;
  std::uint64_t content_remaining_ = 0;
};

bool stays_open(const Request& request) noexcept {
  if (request.headers.has_token("Connection", "close")) return false;
  return request.minor_version == 1 || request.headers.has_token("Connection", "keep-alive");
}

}  // namespace

class RequestParser::Implementation {
 public:
  explicit Implementation(RequestLimits limits)
      : limits_(limits), gate_(limits), beast_(request_) {}

  Progress feed(ByteView bytes) {
    std::size_t consumed = 0;
    if (phase_ == Phase::head) {
      consumed = feed_head(bytes);
      if (phase_ != Phase::head) return {step(), consumed};
    }
    if (phase_ == Phase::body_announced && !accept_body(limits_.body_size)) return {step(), 0};
    while (phase_ == Phase::body && consumed < bytes.size()) {
      consumed += feed_body(bytes.subspan(consumed));
    }
    return {step(), consumed};
  }

  bool accept_body(std::size_t limit) {
    if (phase_ != Phase::body_announced) return phase_ != Phase::failed;
    if (request_.content_length.value_or(0) > limit) {
      fail({413, kBodyTooLarge});
      return false;
    }
    beast_.body_limit(limit);
    phase_ = Phase::body;
    return true;
  }

  [[nodiscard]] Request& request() noexcept { return request_; }
  [[nodiscard]] const RequestError& error() const noexcept { return error_; }
  [[nodiscard]] bool complete() const noexcept { return phase_ == Phase::complete; }
  [[nodiscard]] bool in_request() const noexcept {
    if (phase_ == Phase::head) return !gate_.text().empty();
    return phase_ == Phase::body_announced || phase_ == Phase::body;
  }
  [[nodiscard]] const RequestLimits& limits() const noexcept { return limits_; }

 private:
  enum class Phase : std::uint8_t { head, body_announced, body, complete, failed };
  static constexpr std::string_view kBodyTooLarge = "the request body is too large";
  static constexpr std::string_view kBadChunks = "the chunked body is not valid";
  /// One chunk for each byte is silly, but allowed: "1", CRLF, the byte, CRLF.
  static constexpr std::uint64_t kFramingPerByte = 8;

  [[nodiscard]] Step step() const noexcept {
    switch (phase_) {
      case Phase::body_announced:
        return Step::head;
      case Phase::complete:
        return Step::complete;
      case Phase::failed:
        return Step::failed;
      case Phase::head:
      case Phase::body:
        break;
    }
    return Step::need_more;
  }

  void fail(const RequestError& error) {
    error_ = error;
    phase_ = Phase::failed;
  }

  std::size_t feed_head(ByteView bytes) {
    const std::size_t consumed = gate_.feed(bytes);
    if (gate_.error()) {
      fail(*gate_.error());
    } else if (gate_.whole()) {
      parse_head();
    }
    return consumed;
  }

  void parse_head() {
    beast::error_code ec;
    beast_.put({gate_.text().data(), gate_.text().size()}, ec);
    if (ec || !beast_.is_header_done()) return fail({400, "the request head is not valid"});
    if (request_.host.empty()) request_.host = request_.headers.find("Host").value_or("");
    request_.keep_alive = stays_open(request_);
    request_.chunked = beast_.chunked();
    if (const auto length = beast_.content_length()) request_.content_length = *length;
    const bool has_body = !beast_.is_done();
    if (request_.minor_version == 1 && request_.headers.contains("Expect")) {
      if (!equal_ignoring_case(request_.headers.combined("Expect"), "100-continue")) {
        return fail({417, "the only expectation that is understood is 100-continue"});
      }
      request_.expects_continue = has_body;
    }
    phase_ = has_body ? Phase::body_announced : Phase::complete;
  }

  std::size_t feed_body(ByteView bytes) {
    // Beast learns the length of the content with its first bytes.
    const std::uint64_t remaining = request_.content_length && request_.body.empty()
                                        ? *request_.content_length
                                        : beast_.content_remaining();
    if (remaining == 0) return feed_framing(static_cast<char>(bytes.front()));
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(remaining, bytes.size()));
    put({reinterpret_cast<const char*>(bytes.data()), size});
    return size;
  }

  /// Chunk lines and trailers. They go to Beast at the end of each line, and are judged byte by
  /// byte before, so that nothing depends on how the bytes arrive. Beast alone would let a bare
  /// line feed pass inside of a quoted extension, which other readers take for the end of the line.
  std::size_t feed_framing(char c) {
    const bool after_carriage_return = framing_.ends_with('\r');
    framing_ += c;
    ++framing_total_;
    const bool is_line_end = c == '\n' && after_carriage_return;
    const bool is_bad_line_end = (c == '\n') != after_carriage_return;
    if (is_bad_line_end || (c != '\r' && c != '\n' && is_forbidden_in_line(c))) {
      fail({400, kBadChunks});
    } else if (framing_.size() > limits_.chunk_line_size ||
               framing_total_ > limits_.chunk_line_size + kFramingPerByte * request_.body.size()) {
      fail({400, "the chunked body has too much besides its content"});
    } else if (is_line_end && put(framing_) != 0) {
      framing_.clear();
    }
    return 1;
  }

  /// Answers how much Beast has consumed.
  std::size_t put(std::string_view text) {
    beast::error_code ec;
    const std::size_t consumed = beast_.put({text.data(), text.size()}, ec);
    if (ec == beast::http::error::body_limit) {
      fail({413, kBodyTooLarge});
    } else if (ec && ec != beast::http::error::need_more) {
      fail({400, kBadChunks});
    } else if (beast_.is_done()) {
      phase_ = Phase::complete;
    }
    return consumed;
  }

  RequestLimits limits_;
  HeadGate gate_;
  Request request_;
  BeastParser beast_;
  Phase phase_ = Phase::head;
  std::string framing_;
  std::uint64_t framing_total_ = 0;
  RequestError error_;
};

RequestParser::RequestParser(RequestLimits limits)
    : implementation_(std::make_unique<Implementation>(limits)) {}
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;
RequestParser::~RequestParser() = default;

RequestParser::Progress RequestParser::feed(ByteView bytes) {
  return implementation_->feed(bytes);
}
bool RequestParser::accept_body(std::size_t limit) {
  return implementation_->accept_body(limit);
}
const Request& RequestParser::request() const noexcept {
  return implementation_->request();
}
Request& RequestParser::request() noexcept {
  return implementation_->request();
}
const RequestError& RequestParser::error() const noexcept {
  return implementation_->error();
}
bool RequestParser::in_request() const noexcept {
  return implementation_->in_request();
}

void RequestParser::next() {
  if (!implementation_->complete()) return;
  implementation_ = std::make_unique<Implementation>(implementation_->limits());
}

}  // namespace runnel::http
