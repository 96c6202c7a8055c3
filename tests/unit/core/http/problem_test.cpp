#include "core/http/problem.h"

#include <array>

#include <gtest/gtest.h>

namespace runnel::http {
namespace {

using namespace std::chrono_literals;

TEST(Problem, IsADocumentOfRfc9457) {
  const Response response = to_response(Problem{.status = 409,
                                                .code = "stream_busy",
                                                .detail = "\"cam\" has a publisher\n",
                                                .extra = {{"stream", "cam"}},
                                                .retry_after = 2001ms});
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.headers.find("Content-Type"), "application/problem+json");
  EXPECT_EQ(response.headers.find("Cache-Control"), "no-store");
  EXPECT_EQ(response.headers.find("Retry-After"), "3");
  EXPECT_EQ(response.body,
            R"({"type":"about:blank","title":"Conflict","status":409,"code":"stream_busy",)"
            R"("detail":"\"cam\" has a publisher\n","stream":"cam","retry_ms":2001})"
            "\n");
}

TEST(Problem, LeavesOutWhatItDoesNotKnow) {
  const Response response = to_response(Problem{.status = 404});
  EXPECT_EQ(response.body, "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404}\n");
  EXPECT_FALSE(response.headers.contains("Retry-After"));
}

TEST(Problem, StaysReadableWhateverBytesItIsGiven) {
  const Response response = to_response(Problem{.status = 400, .detail = "\xFF\x01"});
  EXPECT_TRUE(response.body.contains("\"detail\":\"\xEF\xBF\xBD\\u0001\"")) << response.body;
}

TEST(Problem, SaysWhatTheParserRefused) {
  const Response response = to_response(RequestError{431, "the request head is too large"});
  EXPECT_EQ(response.status, 431);
  EXPECT_TRUE(response.body.contains("\"code\":\"head_too_large\",\"detail\":\"the request head"));
  for (const std::uint16_t status : std::array<std::uint16_t, 6>{400, 413, 414, 417, 501, 505}) {
    EXPECT_TRUE(to_response(RequestError{status, "x"}).body.contains("\"code\":\""));
    EXPECT_NE(reason_phrase(status), "");
  }
}

TEST(Problem, NamesWhatIsAllowed) {
  const std::array methods{Method::get, Method::delete_};
  EXPECT_EQ(method_not_allowed(methods).status, 405);
  EXPECT_EQ(method_not_allowed(methods).headers.find("Allow"), "GET, HEAD, DELETE");
  EXPECT_EQ(options_response(methods).status, 204);
  EXPECT_EQ(options_response(methods).headers.find("Allow"), "GET, HEAD, DELETE");
  const std::array with_head{Method::get, Method::head};
  EXPECT_EQ(options_response(with_head).headers.find("Allow"), "GET, HEAD");
}

TEST(Problem, ChallengesWhoeverHasNoToken) {
  const Response response = unauthorized("token_missing", "a token is needed");
  EXPECT_EQ(response.status, 401);
  EXPECT_EQ(response.headers.find("WWW-Authenticate"), "Bearer");
}

}  // namespace
}  // namespace runnel::http
