// Each limit of RequestLimits at n and n+1.
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/core/http/parsing.h"

namespace runnel::http {
namespace {

using Step = RequestParser::Step;

TEST(RequestLimits, HeadSize) {
  const std::size_t size = kUpgrade.size();
  EXPECT_EQ(status_of(kUpgrade, {.head_size = size}), 0);
  EXPECT_EQ(status_of(kUpgrade, {.head_size = size - 1}), 431);
  EXPECT_EQ(status_of(kUpgrade, {.head_size = 20}), 414);
  EXPECT_EQ(status_of(std::string(20, 'A'), {.head_size = 20}), -1);
}

TEST(RequestLimits, HeaderCount) {
  EXPECT_EQ(status_of(kUpgrade, {.header_count = 4}), 0);
  EXPECT_EQ(status_of(kUpgrade, {.header_count = 3}), 431);
}

TEST(RequestLimits, TargetLength) {
  const std::size_t length = std::string_view("/v1/signal?token=a%20b").size();
  EXPECT_EQ(status_of(kUpgrade, {.target_length = length}), 0);
  EXPECT_EQ(status_of(kUpgrade, {.target_length = length - 1}), 414);
}

TEST(RequestLimits, BodySizeByContentLength) {
  EXPECT_EQ(status_of(post(100), {.body_size = 100}), 0);
  EXPECT_EQ(status_of(post(101), {.body_size = 100}), 413);
  EXPECT_EQ(status_of(post(0), {.body_size = 0}), 0);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n"),
            413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\n"),
            413);
}

TEST(RequestLimits, BodySizeByChunks) {
  EXPECT_EQ(status_of(kChunked, {.body_size = 15}), 0);
  EXPECT_EQ(status_of(kChunked, {.body_size = 14}), 413);
  EXPECT_EQ(status_of(kChunked, {.body_size = 4}), 413);
}

TEST(RequestLimits, ChunkLines) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto extended = [&](std::size_t line) {
    return head + "1;" + std::string(line - 4, 'e') + "\r\nx\r\n0\r\n\r\n";
  };
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{10'000}}) {
    const RequestLimits limits{.chunk_line_size = 50};
    EXPECT_EQ(parse_in_pieces(extended(50), piece, limits).step, Step::complete);
    EXPECT_EQ(parse_in_pieces(extended(51), piece, limits).error.status, 400);
    const std::string trailers = head + "0\r\n" + "X: " + std::string(40, 'y') + "\r\n\r\n";
    EXPECT_EQ(parse_in_pieces(trailers, piece, limits).step, Step::complete);
    EXPECT_EQ(parse_in_pieces(trailers, piece, {.chunk_line_size = 49}).error.status, 400);
  }
}

TEST(RequestLimits, ChunkLinesAllTogether) {
  std::string text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string fair = text;
  for (int i = 0; i < 1000; ++i) {
    text += "1;" + std::string(40, 'e') + "\r\nx\r\n";
    fair += "1\r\nx\r\n";
  }
  const RequestLimits limits{.chunk_line_size = 100};
  EXPECT_EQ(status_of(text + "0\r\n\r\n", limits), 400);
  EXPECT_EQ(status_of(fair + "0\r\n\r\n", limits), 0);
}

}  // namespace
}  // namespace runnel::http
