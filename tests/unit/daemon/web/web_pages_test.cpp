#include "daemon/web/web_pages.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daemon/web/web_file.h"

namespace runnel::daemon {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

http::Request request_for(std::string path, std::string if_none_match = {}) {
  http::Request request;
  request.method = http::Method::get;
  request.path = std::move(path);
  if (!if_none_match.empty()) request.headers.add("If-None-Match", std::move(if_none_match));
  return request;
}

std::string field(const http::Response& response, std::string_view name) {
  return std::string(response.headers.find(name).value_or(""));
}

std::string path_of(const WebFile& file) {
  if (file.path == "index.html") return "/";
  if (file.path == "watch.html") return "/watch/camera-1";
  if (file.path == "runnel.js") return "/runnel.js";
  return "/web/" + std::string(file.path);
}

std::string type_of(std::string_view path) {
  if (path.ends_with(".html")) return "text/html; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  return path.ends_with(".svg") ? "image/svg+xml" : "none that browsers know";
}

TEST(WebPages, EveryFileIsServedWithItsType) {
  for (const WebFile& file : web_files()) {
    const auto response = WebPages::answer(request_for(path_of(file)));
    ASSERT_TRUE(response) << file.path;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, file.bytes);
    EXPECT_EQ(field(*response, "Content-Type"), type_of(file.path));
    EXPECT_EQ(field(*response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(field(*response, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(field(*response, "Cache-Control"), "no-cache");
  }
}

TEST(WebPages, PlayerIsTheSameForAllStreams) {
  EXPECT_EQ(WebPages::answer(request_for("/watch/a"))->body,
            WebPages::answer(request_for("/watch/b"))->body);
}

TEST(WebPages, NothingElseIsServed) {
  for (const char* path : {"/web/", "/web/page/nothing.js", "/web/page/../index.html", "/web/embed",
                           "/web/web_pages.cpp", "/web/README.md", "/index", "/runnel.js/"}) {
    EXPECT_FALSE(WebPages::answer(request_for(path))) << path;
  }
}

TEST(WebPages, AClientThatHasTheFileIsToldSo) {
  const auto first = WebPages::answer(request_for("/runnel.js"));
  const std::string etag = field(*first, "ETag");
  EXPECT_THAT(etag, ContainsRegex("^\"[0-9a-f]{32}\"$"));
  for (const std::string& known : {etag, "W/" + etag, "\"other\", " + etag, std::string("*")}) {
    const auto again = WebPages::answer(request_for("/runnel.js", known));
    EXPECT_EQ(again->status, 304) << known;
    EXPECT_EQ(again->body, "");
    EXPECT_EQ(field(*again, "ETag"), etag);
  }
  for (const std::string& other : {std::string("\"other\""), etag.substr(1), std::string(" ,, ")}) {
    EXPECT_EQ(WebPages::answer(request_for("/runnel.js", other))->status, 200) << other;
  }
}

TEST(WebPages, OtherFilesHaveOtherTags) {
  EXPECT_NE(field(*WebPages::answer(request_for("/")), "ETag"),
            field(*WebPages::answer(request_for("/runnel.js")), "ETag"));
}

TEST(WebPages, NothingIsLoadedFromElsewhere) {
  for (const char* path : {"/", "/watch/camera-1", "/runnel.js"}) {
    EXPECT_THAT(field(*WebPages::answer(request_for(path)), "Content-Security-Policy"),
                AllOf(StartsWith("default-src 'none'; script-src 'self';"),
                      Not(HasSubstr("unsafe")), Not(HasSubstr("http"))));
  }
}

TEST(WebPages, OnlyThePlayerMayBeFramed) {
  const auto policy = [](const char* path) {
    return field(*WebPages::answer(request_for(path)), "Content-Security-Policy");
  };
  EXPECT_THAT(policy("/watch/camera-1"), EndsWith("frame-ancestors *"));
  EXPECT_THAT(policy("/"), EndsWith("frame-ancestors 'none'"));
}

}  // namespace
}  // namespace runnel::daemon
