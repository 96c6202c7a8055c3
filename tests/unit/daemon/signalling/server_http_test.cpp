// HTTP on real connections: in order, in time, and never an answer lost.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/signalling/server.h"
#include "tests/unit/daemon/signalling/serving.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kGetHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST(ServerHttp, AnswersAndEnds) {
  Serving serving;
  EXPECT_THAT(serving.answer_to(get("/v1/version")),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nDate: "),
                    HasSubstr("\"name\":\"runnel\"")));
  EXPECT_THAT(serving.answer_to(get("/healthz")), EndsWith("\r\n\r\nok\n"));
  EXPECT_THAT(serving.answer_to(get("/readyz")), EndsWith("\r\n\r\nready\n"));
  EXPECT_THAT(serving.answer_to(get("/v1/schema.json")), HasSubstr("$schema"));
  EXPECT_THAT(serving.answer_to(get("/v1/streams")), HasSubstr("\"streams\":[]"));
  EXPECT_THAT(serving.answer_to(get("/elsewhere")), StartsWith("HTTP/1.1 404 "));
}

TEST(ServerHttp, ServesThePage) {
  Serving serving;
  const std::string page = serving.answer_to(get("/"));
  EXPECT_THAT(page, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("text/html"),
                          HasSubstr("<title>Runnel</title>")));
  for (const char* path : {"/watch/camera-1", "/runnel.js", "/web/page/main.js"}) {
    EXPECT_THAT(serving.answer_to(get(path)), StartsWith("HTTP/1.1 200 OK\r\n")) << path;
  }
  EXPECT_THAT(serving.answer_to(get("/web/page/nothing.js")), StartsWith("HTTP/1.1 404 "));
  const auto ask = [&](const std::string& method, const std::string& fields) {
    return serving.answer_to(method + " / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                             fields + "\r\n");
  };
  EXPECT_THAT(ask("HEAD", ""), EndsWith("\r\n\r\n"));
  const std::size_t etag = page.find("ETag: ") + 6;
  const std::string known = page.substr(etag, page.find("\r\n", etag) - etag);
  EXPECT_THAT(ask("GET", "If-None-Match: " + known + "\r\n"),
              AllOf(StartsWith("HTTP/1.1 304 "), EndsWith("\r\n\r\n")));
  EXPECT_THAT(ask("POST", "Content-Length: 0\r\n"), StartsWith("HTTP/1.1 405 "));
}

TEST(ServerHttp, ServesThePageToItself) {
  Serving serving;
  EXPECT_THAT(serving.answer_to("GET /runnel.js HTTP/1.1\r\nHost: localhost:7080\r\n"
                                "Origin: http://localhost:7080\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(ServerHttp, KnowsHeadAndOptions) {
  Serving serving;
  EXPECT_THAT(serving.answer_to("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n"
                                "Connection: close\r\n\r\n"),
              AllOf(HasSubstr("Content-Length: 3\r\n"), EndsWith("\r\n\r\n")));
  const auto options = [&](const std::string& path) {
    return serving.answer_to("OPTIONS " + path +
                             " HTTP/1.1\r\nHost: localhost\r\n"
                             "Connection: close\r\n\r\n");
  };
  EXPECT_THAT(options("/healthz"),
              AllOf(StartsWith("HTTP/1.1 204 "), HasSubstr("Allow: GET, HEAD")));
  EXPECT_THAT(options("/v1/streams"),
              AllOf(StartsWith("HTTP/1.1 204 "), HasSubstr("Allow: GET, HEAD")));
  EXPECT_THAT(options("*"), StartsWith("HTTP/1.1 204 "));
  EXPECT_THAT(serving.answer_to("POST /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                "Content-Length: 0\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("Allow: GET, HEAD")));
}

TEST(ServerHttp, AnswersRequestsSentOneBehindTheOtherInOrder) {
  Serving serving;
  TcpClient client(serving.address());
  client.send(kGetHealth + "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" + kGetHealth +
              get("/readyz"));
  ASSERT_TRUE(serving.run_until_ended(client));
  const std::string all = client.received();
  EXPECT_EQ(count_of(all, "HTTP/1.1 "), 4u);
  const std::size_t not_found = all.find("HTTP/1.1 404");
  EXPECT_LT(all.find("ok\n"), not_found);
  EXPECT_GT(all.rfind("ok\n"), not_found);
  EXPECT_THAT(all, EndsWith("ready\n"));
}

TEST(ServerHttp, TakesARequestByteByByte) {
  Serving serving;
  TcpClient client(serving.address());
  for (const char byte : kGetHealth) {
    client.send({&byte, 1});
    serving.run_until([] { return true; });
  }
  EXPECT_TRUE(serving.run_until_received(client, "ok\n"));
  client.send(kGetHealth);
  EXPECT_TRUE(serving.run_until([&] { return count_of(client.received(), "ok\n") == 2; }))
      << "the connection stays open";
}

// More answers than socket buffers hold, to a client that begins to read late.
TEST(ServerHttp, ReadsNoFurtherThanItsAnswersAreTaken) {
  Serving serving;
  TcpClient client(serving.address(), 4096);
  const std::string request = "GET /v1/schema.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  constexpr std::size_t kRequests = 2'000;
  std::string all;
  for (std::size_t i = 0; i < kRequests; ++i) all += request;
  std::size_t sent = 0;
  int stalled = 0;
  serving.run_until([&] {
    const std::size_t more = client.send(std::string_view(all).substr(sent));
    sent += more;
    stalled = more == 0 ? stalled + 1 : 0;
    return sent == all.size() || stalled == 50;
  });
  EXPECT_LT(serving.server().statistics().requests, kRequests);
  EXPECT_TRUE(serving.run_until([&] {
    sent += client.send(std::string_view(all).substr(sent));
    client.received();
    return serving.server().statistics().requests == kRequests;
  }));
  EXPECT_TRUE(
      serving.run_until([&] { return count_of(client.received(), "HTTP/1.1 200") == kRequests; }));
}

TEST(ServerHttp, TellsASlowClientSo) {
  ServingOptions options;
  options.server.connection.http.header_timeout = 30ms;
  Serving serving(std::move(options));
  EXPECT_THAT(serving.answer_to("GET /healthz HT"), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().timed_out == 1; }));
  EXPECT_EQ(serving.answer_to(""), "") << "who has said nothing is not answered";
}

TEST(ServerHttp, EndsIdleConnections) {
  ServingOptions options;
  options.server.connection.http.idle_timeout = 30ms;
  Serving serving(std::move(options));
  const std::string received = serving.answer_to(kGetHealth);
  EXPECT_THAT(received, EndsWith("ok\n"));
  EXPECT_EQ(count_of(received, "HTTP/1.1"), 1u);
}

TEST(ServerHttp, RefusesWhatCouldBeUnderstoodInTwoWays) {
  Serving serving;
  const std::string smuggled = kGetHealth + kGetHealth;
  for (const std::string fields : {"Content-Length: 3\r\nContent-Length: 4\r\n",
                                   "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                                   "X: a\r\n folded\r\n", "X : a\r\n", "X: a\nY: b\r\n"}) {
    const std::string answer = serving.answer_to("POST /healthz HTTP/1.1\r\nHost: localhost\r\n" +
                                                 fields + "\r\n" + smuggled);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 ")) << fields;
    EXPECT_EQ(count_of(answer, "HTTP/1.1 "), 1u) << "nothing behind it is read: " << fields;
  }
}

// The client goes on to send: a reset must not overtake the answer.
TEST(ServerHttp, DeliversARefusalToAClientThatIsStillSending) {
  ServingOptions options;
  options.server.connection.http.limits.body_size = 1000;
  Serving serving(std::move(options));
  TcpClient client(serving.address());
  client.send(
      "POST /v1/streams/a/publication HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Length: 10000000\r\n\r\n");
  const std::string body(256 * 1024, 'x');
  serving.run_until([&] {
    client.send(body);
    return client.has_ended();
  });
  EXPECT_THAT(client.received(), StartsWith("HTTP/1.1 413 "));
  EXPECT_FALSE(client.was_reset());
}

TEST(ServerHttp, ContinuesWhoWaitsForIt) {
  Serving serving;
  TcpClient client(serving.address());
  client.send(
      "POST /v1/streams/a/publication HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 2\r\n\r\n");
  ASSERT_TRUE(serving.run_until_received(client, "HTTP/1.1 100 Continue\r\n\r\n"));
  client.send("{}");
  EXPECT_TRUE(serving.run_until_received(client, "HTTP/1.1 400 ")) << client.received();
}

TEST(ServerHttp, AnswersAClientThatHasClosedItsSide) {
  Serving serving;
  TcpClient client(serving.address());
  client.send(kGetHealth);
  client.end();
  EXPECT_TRUE(serving.run_until_ended(client));
  EXPECT_THAT(client.received(), EndsWith("ok\n"));
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 0; }));
}

TEST(ServerHttp, LetsNoForeignPageIn) {
  Serving serving({.server = {}, .origins = {"https://app.example"}, .auth = {}});
  EXPECT_THAT(serving.answer_to(get("/healthz", "Origin: https://evil.example\r\n")),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(serving.answer_to(get("/healthz", "Origin: http://localhost\r\n")),
              StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(serving.answer_to(get("/v1/streams", "Origin: https://app.example\r\n")),
              AllOf(StartsWith("HTTP/1.1 200 "),
                    HasSubstr("Access-Control-Allow-Origin: https://app.example\r\n"),
                    HasSubstr("Vary: Origin\r\n")));
  EXPECT_THAT(serving.answer_to("OPTIONS /v1/streams HTTP/1.1\r\nHost: localhost\r\n"
                                "Origin: https://app.example\r\nConnection: close\r\n"
                                "Access-Control-Request-Method: POST\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 204 "), HasSubstr("Access-Control-Allow-Methods: "),
                    HasSubstr("Access-Control-Allow-Headers: Authorization")));
}

TEST(ServerHttp, AnswersToLocalNamesAloneWhenNobodyNeedsAToken) {
  Serving serving;
  EXPECT_THAT(serving.answer_to("GET /healthz HTTP/1.1\r\nHost: rebound.example:7080\r\n"
                                "Connection: close\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 403 "), HasSubstr("host_not_allowed")));
  for (const std::string host : {"127.0.0.1:7080", "[::1]:7080", "LOCALHOST"}) {
    EXPECT_THAT(serving.answer_to("GET /healthz HTTP/1.1\r\nHost: " + host +
                                  "\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 200 "))
        << host;
  }
}

TEST(ServerHttp, LooksForTokensWhereTheyMayBe) {
  const auto with_token = [](bool in_query) {
    ServingOptions options;
    options.token_in_query = in_query;
    options.auth.policy = auth::Policy::tokens;
    options.auth.tokens.push_back({.name = "ops",
                                   .digest = auth::TokenDigest("0123456789abcdef"),
                                   .permissions = auth::Permissions::everything(),
                                   .expiry = std::nullopt});
    return options;
  };
  Serving serving(with_token(false));
  EXPECT_THAT(serving.answer_to(get("/v1/streams")),
              AllOf(StartsWith("HTTP/1.1 401 "), HasSubstr("WWW-Authenticate: Bearer\r\n")));
  EXPECT_THAT(serving.answer_to(get("/v1/streams", "Authorization: Bearer 0123456789abcdef\r\n")),
              StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(serving.answer_to(get("/v1/streams?token=0123456789abcdef")),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(serving.log(), Not(HasSubstr("0123456789abcdef")));
  Serving open(with_token(true));
  EXPECT_THAT(open.answer_to(get("/v1/streams?token=0123456789abcdef")),
              StartsWith("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace runnel::daemon
