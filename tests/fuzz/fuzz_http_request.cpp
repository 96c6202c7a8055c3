// HTTP requests: however the bytes are cut into pieces, the same requests are read or refused, all
// limits hold, and nothing is read after a refusal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/http/percent_encoding.h"
#include "core/http/problem.h"
#include "core/http/request_parser.h"

namespace {

using namespace runnel;
using Step = http::RequestParser::Step;

// Small, so that short inputs reach them.
constexpr http::RequestLimits kLimits{.head_size = 400,
                                      .header_count = 8,
                                      .target_length = 100,
                                      .body_size = 200,
                                      .chunk_line_size = 60};

/// What a sequence of requests came to.
struct Outcome {
  std::vector<http::Request> requests;
  std::size_t consumed = 0;
  std::uint16_t status = 0;

  friend bool operator==(const Outcome& a, const Outcome& b) {
    const auto same = [](const http::Request& x, const http::Request& y) {
      return x.method_name == y.method_name && x.path == y.path && x.query == y.query &&
             x.host == y.host && x.headers == y.headers && x.body == y.body &&
             x.keep_alive == y.keep_alive && x.expects_continue == y.expects_continue;
    };
    return a.status == b.status && std::ranges::equal(a.requests, b.requests, same) &&
           (a.status != 0 || a.consumed == b.consumed);
  }
};

void check_request(const http::Request& request) {
  RUNNEL_CHECK(request.path == "*" || request.path.starts_with('/'));
  RUNNEL_CHECK(http::is_percent_encoded(request.path) && http::is_percent_encoded(request.query));
  RUNNEL_CHECK(request.headers.size() <= kLimits.header_count);
  RUNNEL_CHECK(request.headers.count("Host") <= 1);
  RUNNEL_CHECK(request.body.size() <= kLimits.body_size);
  RUNNEL_CHECK(!request.content_length || *request.content_length == request.body.size());
  RUNNEL_CHECK(!(request.chunked && request.content_length));
  (void)request.query_parameter("token");
}

/// `sizes` says how long the pieces are, over and over.
Outcome read(ByteView bytes, ByteView sizes) {
  http::RequestParser parser(kLimits);
  Outcome outcome;
  std::size_t available = 0;
  for (std::size_t i = 0;; ++i) {
    available = std::min(bytes.size(), available + 1 + sizes[i % sizes.size()]);
    while (true) {
      const auto waiting = bytes.first(available).subspan(outcome.consumed);
      const auto progress = parser.feed(waiting);
      RUNNEL_CHECK(progress.consumed <= waiting.size());
      outcome.consumed += progress.consumed;
      if (progress.step == Step::failed) {
        outcome.status = parser.error().status;
        RUNNEL_CHECK(outcome.status >= 400 && !parser.error().text.empty());
        RUNNEL_CHECK(parser.feed(bytes).consumed == 0);
        (void)http::to_response(parser.error());
        return outcome;
      }
      if (progress.step == Step::need_more) {
        RUNNEL_CHECK(progress.consumed == waiting.size());
        break;
      }
      if (progress.step == Step::head) continue;
      check_request(parser.request());
      outcome.requests.push_back(std::move(parser.request()));
      parser.next();
    }
    if (available == bytes.size()) return outcome;
  }
}

}  // namespace

// The first byte says how many of the following are sizes of pieces; the rest are the requests.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView input(data, size);
  if (input.empty() || input[0] % 8u + 2 > input.size()) return 0;
  const ByteView sizes = input.subspan(1, input[0] % 8u + 1);
  const ByteView bytes = input.subspan(1 + sizes.size());
  constexpr std::uint8_t kOneByOne[] = {0};
  const Outcome pieces = read(bytes, sizes);
  RUNNEL_CHECK(pieces == read(bytes, kOneByOne));
  const std::vector<std::uint8_t> whole(64, 255);
  RUNNEL_CHECK(pieces == read(bytes, whole));
  return 0;
}
