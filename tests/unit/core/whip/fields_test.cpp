#include "core/whip/fields.h"

#include <gtest/gtest.h>

namespace runnel::whip {
namespace {

http::Request with(std::string name, std::string value) {
  http::Request request;
  request.headers.add(std::move(name), std::move(value));
  return request;
}

Condition if_match_is(std::string value) {
  return if_match(with("If-Match", std::move(value)), "\"abc\"");
}

TEST(MediaType, IsComparedWithoutParametersAndCase) {
  EXPECT_TRUE(has_media_type(with("Content-Type", "application/sdp"), kSdp));
  EXPECT_TRUE(has_media_type(with("content-type", "Application/SDP ; charset=utf-8"), kSdp));
  EXPECT_FALSE(has_media_type(with("Content-Type", "application/sdpx"), kSdp));
  EXPECT_FALSE(has_media_type(http::Request{}, kSdp));
  http::Request twice = with("Content-Type", "application/sdp");
  twice.headers.add("Content-Type", "application/sdp");
  EXPECT_FALSE(has_media_type(twice, kSdp));
}

TEST(IfMatch, ComparesStrongTagsInLists) {
  EXPECT_EQ(if_match(http::Request{}, "\"abc\""), Condition::missing);
  EXPECT_EQ(if_match_is("*"), Condition::met);
  EXPECT_EQ(if_match_is("\"*\""), Condition::met) << "as the examples of RFC 9725 write it";
  EXPECT_EQ(if_match_is("\"abc\""), Condition::met);
  EXPECT_EQ(if_match_is("\"x\" , \"abc\""), Condition::met);
  EXPECT_EQ(if_match_is("\"x\""), Condition::failed);
  EXPECT_EQ(if_match_is("W/\"abc\""), Condition::failed);
  for (const char* broken : {"", "abc", "\"abc", "\"abc\" \"x\"", "\"abc\";", "W/", "\"a b\""}) {
    EXPECT_EQ(if_match_is(broken), Condition::failed) << broken;
  }
}

TEST(Links, NameIceServersWithTheirCredentials) {
  http::Response response;
  add_ice_servers({.ice_servers = {{.urls = {"stun:stun.example.net"}},
                                   {.urls = {"turn:turn.example.net?transport=udp"},
                                    .username = "user",
                                    .credential = "pass\"word"}}},
                  response);
  EXPECT_EQ(response.headers.combined("Link"),
            "<stun:stun.example.net>; rel=\"ice-server\", "
            "<turn:turn.example.net?transport=udp>; rel=\"ice-server\"; username=\"user\"; "
            "credential=\"pass\\\"word\"; credential-type=\"password\"");
}

}  // namespace
}  // namespace runnel::whip
