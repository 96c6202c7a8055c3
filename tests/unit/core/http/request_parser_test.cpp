#include "core/http/request_parser.h"

#include <array>
#include <gmock/gmock.h>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/core/http/parsing.h"

namespace runnel::http {
namespace {

using Step = RequestParser::Step;
using testing::ElementsAre;

TEST(RequestParser, ReadsTheExampleOfRfc9112Section2) {
  const Outcome outcome = parse(
      "GET /hello.txt HTTP/1.1\r\n"
      "User-Agent: curl/7.64.1\r\n"
      "Host: www.example.com\r\n"
      "Accept-Language: en, mi\r\n"
      "\r\n");
  ASSERT_EQ(outcome.step, Step::complete);
  const Request& request = outcome.request;
  EXPECT_EQ(request.method, Method::get);
  EXPECT_EQ(request.method_name, "GET");
  EXPECT_EQ(request.path, "/hello.txt");
  EXPECT_EQ(request.query, "");
  EXPECT_EQ(request.host, "www.example.com");
  EXPECT_EQ(request.minor_version, 1);
  EXPECT_EQ(request.headers,
            (HeaderList{Field{"User-Agent", "curl/7.64.1"}, Field{"Host", "www.example.com"},
                        Field{"Accept-Language", "en, mi"}}));
  EXPECT_TRUE(request.keep_alive);
  EXPECT_FALSE(request.content_length);
  EXPECT_FALSE(outcome.head_was_told);
}

TEST(RequestParser, LeavesWhatFollowsARequestToItsCaller) {
  const Outcome outcome = parse(std::string(kUpgrade) +
                                "\x81\x85"
                                "frames");
  ASSERT_EQ(outcome.step, Step::complete);
  EXPECT_EQ(outcome.rest,
            "\x81\x85"
            "frames");
  EXPECT_EQ(outcome.request.path, "/v1/signal");
  EXPECT_EQ(outcome.request.query_parameter("token"), "a b");
  EXPECT_TRUE(outcome.request.headers.has_token("connection", "upgrade"));
}

TEST(RequestParser, HasTheSameOutcomeHoweverTheBytesAreCut) {
  const std::string posted = post(70);
  for (const std::string& text : {std::string(kUpgrade), std::string(kChunked), posted,
                                  "OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n" + posted,
                                  std::string("GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n"),
                                  std::string("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                                              "chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n")}) {
    const Outcome whole = parse(text);
    for (std::size_t size = 1; size < text.size(); ++size) {
      const Outcome pieces = parse_in_pieces(text, size);
      EXPECT_EQ(pieces.step, whole.step) << text << size;
      EXPECT_EQ(pieces.error.text, whole.error.text) << text << size;
      EXPECT_EQ(pieces.request.path, whole.request.path);
      EXPECT_EQ(pieces.request.headers, whole.request.headers);
      EXPECT_EQ(pieces.request.body, whole.request.body) << text << size;
      if (whole.step == Step::complete) {
        EXPECT_EQ(pieces.rest, whole.rest) << text << size;
      }
    }
  }
}

TEST(RequestParser, HasTheSameOutcomeWhenARequestComesInTwoPieces) {
  for (std::size_t cut = 1; cut < kChunked.size(); ++cut) {
    RequestParser parser;
    auto first = parser.feed(bytes_of(kChunked.substr(0, cut)));
    std::size_t consumed = first.consumed;
    while (first.step == Step::head && consumed < cut) {
      first = parser.feed(bytes_of(kChunked.substr(consumed, cut - consumed)));
      consumed += first.consumed;
    }
    ASSERT_EQ(consumed, cut);
    auto second = parser.feed(bytes_of(kChunked.substr(cut)));
    if (second.step == Step::head)
      second = parser.feed(bytes_of(kChunked.substr(cut + second.consumed)));
    ASSERT_EQ(second.step, Step::complete) << cut;
    EXPECT_EQ(text_of(parser.request()), "hello, chunked!");
  }
}

TEST(RequestParser, JoinsChunksAndForgetsExtensionsAndTrailers) {
  const Outcome outcome = parse(std::string(kChunked) + "GET");
  ASSERT_EQ(outcome.step, Step::complete);
  EXPECT_TRUE(outcome.request.chunked);
  EXPECT_FALSE(outcome.request.content_length);
  EXPECT_EQ(text_of(outcome.request), "hello, chunked!");
  EXPECT_FALSE(outcome.request.headers.contains("Authorization"));
  EXPECT_FALSE(outcome.request.headers.contains("X-Checksum"));
  EXPECT_EQ(outcome.rest, "GET");
}

TEST(RequestParser, ReadsPipelinedRequestsOneAfterTheOther) {
  const std::string text =
      post(3) + std::string(kChunked) + "HEAD /last HTTP/1.1\r\nHost: b\r\n\r\n";
  RequestParser parser;
  std::string waiting = text;
  std::vector<std::string> seen;
  while (!waiting.empty()) {
    const auto progress = parser.feed(bytes_of(waiting));
    waiting.erase(0, progress.consumed);
    ASSERT_NE(progress.step, Step::failed) << parser.error().text;
    ASSERT_NE(progress.step, Step::need_more);
    if (progress.step != Step::complete) continue;
    seen.push_back(parser.request().method_name + parser.request().path +
                   text_of(parser.request()));
    EXPECT_EQ(parser.feed(bytes_of("x")).consumed, 0u);
    parser.next();
  }
  EXPECT_THAT(seen, ElementsAre("POST/xxx", "POST/v1/streamshello, chunked!", "HEAD/last"));
}

TEST(RequestParser, NeverReadsAgainAfterAnError) {
  RequestParser parser;
  EXPECT_EQ(parser.feed(bytes_of("GET / HTTP/1.1\n")).step, Step::failed);
  EXPECT_EQ(parser.error().status, 400);
  parser.next();
  const auto progress = parser.feed(bytes_of(kUpgrade));
  EXPECT_EQ(progress.step, Step::failed);
  EXPECT_EQ(progress.consumed, 0u);
  EXPECT_FALSE(parser.accept_body(1));
}

TEST(RequestParser, TellsAnIdleConnectionFromASlowRequest) {
  RequestParser parser;
  EXPECT_FALSE(parser.in_request());
  (void)parser.feed(bytes_of("\r\n"));
  EXPECT_FALSE(parser.in_request());
  (void)parser.feed(bytes_of("P"));
  EXPECT_TRUE(parser.in_request());
  const std::string text = post(2).substr(1);
  const auto head = parser.feed(bytes_of(text));
  ASSERT_EQ(head.step, Step::head);
  EXPECT_TRUE(parser.in_request());
  (void)parser.feed(bytes_of("xx"));
  EXPECT_FALSE(parser.in_request());
}

TEST(RequestParser, ToleratesOneEmptyLineBeforeARequest) {
  EXPECT_EQ(status_of("\r\n" + std::string(kUpgrade)), 0);
  EXPECT_EQ(status_of("\r\n\r\n" + std::string(kUpgrade)), 400);
}

TEST(RequestParser, SignalsThatTheClientWaitsForContinue) {
  const std::string head =
      "PUT /somewhere HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\n";
  RequestParser parser;
  ASSERT_EQ(parser.feed(bytes_of(head)).step, Step::head);
  EXPECT_TRUE(parser.request().expects_continue);
  EXPECT_EQ(parser.request().content_length, 4u);
  ASSERT_TRUE(parser.accept_body(4));
  EXPECT_EQ(parser.feed(bytes_of("bo")).step, Step::need_more);
  EXPECT_EQ(parser.feed(bytes_of("dy")).step, Step::complete);
  EXPECT_EQ(text_of(parser.request()), "body");
}

TEST(RequestParser, UnderstandsNoOtherExpectation) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nExpect: coffee\r\n\r\n"), 417);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, tea\r\n\r\n"), 417);
  // Without a body there is nothing to wait for; HTTP/1.0 does not know it (RFC 9110 §10.1.1).
  const Outcome bodiless = parse("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(bodiless.step, Step::complete);
  EXPECT_FALSE(bodiless.request.expects_continue);
  const Outcome old =
      parse("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_EQ(old.step, Step::complete);
  EXPECT_FALSE(old.request.expects_continue);
}

TEST(RequestParser, RefusesADeclaredBodyBeforeItIsSent) {
  const std::string text = post(11);
  RequestParser parser;
  ASSERT_EQ(parser.feed(bytes_of(text)).step, Step::head);
  EXPECT_FALSE(parser.accept_body(10));
  EXPECT_EQ(parser.error().status, 413);
  EXPECT_EQ(parser.feed(bytes_of("x")).step, Step::failed);
}

TEST(RequestParser, KeepsTheConnectionAsRfc9112Section93Says) {
  const auto keep_alive = [](std::string_view head) {
    return parse(std::string(head) + "\r\n\r\n").request.keep_alive;
  };
  EXPECT_TRUE(keep_alive("GET / HTTP/1.1\r\nHost: a"));
  EXPECT_FALSE(keep_alive("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close"));
  EXPECT_FALSE(keep_alive("GET / HTTP/1.0"));
  EXPECT_TRUE(keep_alive("GET / HTTP/1.0\r\nConnection: Keep-Alive"));
  EXPECT_FALSE(keep_alive("GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close"));
}

TEST(RequestParser, UnderstandsTheFormsOfTargetsOfRfc9112Section32) {
  const auto target = [](std::string_view line) {
    return parse(std::string(line) + " HTTP/1.1\r\nHost: field.example\r\n\r\n");
  };
  EXPECT_EQ(target("GET /where?q=now").request.query, "q=now");
  const Outcome absolute = target("GET http://www.example.org:81/pub/x.html?a?b");
  EXPECT_EQ(absolute.request.path, "/pub/x.html");
  EXPECT_EQ(absolute.request.query, "a?b");
  EXPECT_EQ(absolute.request.host, "www.example.org:81");
  EXPECT_EQ(target("GET HTTPS://www.example.org").request.path, "/");
  EXPECT_EQ(target("OPTIONS *").request.path, "*");
  EXPECT_EQ(target("OPTIONS *").request.host, "field.example");

  EXPECT_EQ(target("GET *").error.status, 400);
  EXPECT_EQ(target("GET ftp://a/").error.status, 400);
  EXPECT_EQ(target("GET http://").error.status, 400);
  EXPECT_EQ(target("GET http://user@host/").error.status, 400);
  EXPECT_EQ(target("GET v1/streams").error.status, 400);
  EXPECT_EQ(target("GET /a#b").error.status, 400);
  EXPECT_EQ(target("GET /%zz").error.status, 400);
  EXPECT_EQ(target("GET /a?b=%4").error.status, 400);
  EXPECT_EQ(target("GET /\xC3\xA9").error.status, 400);
  EXPECT_EQ(target("CONNECT www.example.com:80").error.status, 501);
}

TEST(RequestParser, KeepsTheNamesOfUnknownMethods) {
  const Outcome outcome = parse("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(outcome.request.method, Method::unknown);
  EXPECT_EQ(outcome.request.method_name, "BREW");
  for (const Method method : {Method::get, Method::head, Method::post, Method::put, Method::patch,
                              Method::delete_, Method::options, Method::trace}) {
    EXPECT_EQ(
        parse(std::string(to_string(method)) + " / HTTP/1.1\r\nHost: a\r\n\r\n").request.method,
        method);
  }
  EXPECT_EQ(method_of("get"), Method::unknown);
  EXPECT_EQ(to_string(Method::unknown), "");
}

TEST(RequestParser, AnswersOtherVersionsReadably) {
  EXPECT_EQ(status_of("GET /\r\n"), 505);
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/3.0\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.2\r\n"), 505);
  EXPECT_EQ(status_of("GET / http/1.1\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1 \r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.10\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/11\r\n"), 400);
}

}  // namespace
}  // namespace runnel::http
