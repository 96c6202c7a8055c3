#include "core/http/response.h"

#include <array>

#include <gtest/gtest.h>

namespace runnel::http {
namespace {

TEST(Response, IsWrittenWithItsLength) {
  const Response response = Response::text("text/plain", "hello\n");
  EXPECT_EQ(write_response(response, {.keep_alive = true}),
            "HTTP/1.1 200 OK\r\n"
            "Content-Type: text/plain\r\n"
            "Connection: keep-alive\r\n"
            "Content-Length: 6\r\n"
            "\r\n"
            "hello\n");
}

TEST(Response, ToHeadIsTheHeadOfWhatGetWouldGet) {
  Request request;
  request.method = Method::head;
  request.keep_alive = false;
  const std::string head =
      write_response(Response::text("text/plain", "hello\n"), WriteOptions::for_request(request));
  EXPECT_TRUE(head.ends_with("Connection: close\r\nContent-Length: 6\r\n\r\n")) << head;
}

TEST(Response, HasNoLengthWhenThereCanBeNoBody) {
  for (const std::uint16_t status : std::array<std::uint16_t, 3>{101, 204, 304}) {
    const std::string text = write_response({.status = status, .body = "ignored"}, {});
    EXPECT_FALSE(text.contains("Content-Length")) << text;
    EXPECT_TRUE(text.ends_with("\r\n\r\n")) << text;
  }
  EXPECT_TRUE(write_response({.status = 404}, {}).contains("Content-Length: 0\r\n"));
}

TEST(Response, SwitchesProtocolsAsRfc6455Section422Writes) {
  const Response response{.status = 101,
                          .headers = {{"Upgrade", "websocket"},
                                      {"Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="},
                                      {"Sec-WebSocket-Protocol", "chat"}}};
  EXPECT_EQ(write_response(response, {.keep_alive = true}),
            "HTTP/1.1 101 Switching Protocols\r\n"
            "Upgrade: websocket\r\n"
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
            "Sec-WebSocket-Protocol: chat\r\n"
            "Connection: Upgrade\r\n"
            "\r\n");
}

TEST(Response, NamesUpgradeInConnection) {
  const Response response{.status = 426, .headers = {{"Upgrade", "websocket"}}};
  EXPECT_TRUE(write_response(response, {}).contains("Connection: Upgrade, close\r\n"));
  EXPECT_TRUE(write_response(response, {.keep_alive = true})
                  .contains("Connection: Upgrade, keep-alive\r\n"));
}

TEST(Response, NeverLetsAHeaderBeInjected) {
  using namespace std::string_literals;
  const std::string refused =
      "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  for (const Field& field : {Field{"Location", "/a\r\nSet-Cookie: b"}, Field{"X", "a\nb"},
                             Field{"X", "a\rb"}, Field{"X", "a\0b"s}, Field{"X\r\nY", "a"},
                             Field{"X:", "a"}, Field{"", "a"}, Field{"content-length", "5"},
                             Field{"Transfer-Encoding", "chunked"}, Field{"Connection", "x"}}) {
    Response response = Response::text("text/plain", "secret");
    response.headers.add(field.name, field.value);
    EXPECT_EQ(write_response(response, {}), refused) << field.name;
  }
  EXPECT_EQ(write_response({.status = 99}, {}), refused);
  EXPECT_EQ(write_response({.status = 1000}, {}), refused);
}

TEST(Response, WritesAnUnknownStatusWithoutAPhrase) {
  EXPECT_TRUE(write_response({.status = 299}, {}).starts_with("HTTP/1.1 299 \r\n"));
}

}  // namespace
}  // namespace runnel::http
