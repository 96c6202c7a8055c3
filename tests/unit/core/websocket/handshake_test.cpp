#include "core/websocket/handshake.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::websocket {
namespace {

constexpr std::array<std::string_view, 2> kProtocols{"runnel.v1", "superchat"};

/// The request of RFC 6455 §1.3.
HandshakeRequest example() {
  return {.method = "GET",
          .host = "server.example.com",
          .upgrade = "websocket",
          .connection = "Upgrade",
          .key = "dGhlIHNhbXBsZSBub25jZQ==",
          .version = "13",
          .protocols = "chat, superchat",
          .origin = "http://example.com"};
}

HandshakeError refused(const HandshakeRequest& request, const HandshakeOptions& options = {}) {
  const auto accepted = accept_handshake(request, options);
  EXPECT_FALSE(accepted);
  return accepted.error();
}

TEST(Handshake, AnswersTheExampleOfRfc6455Section13) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  const auto accepted = accept_handshake(example(), {.protocols = kProtocols});
  ASSERT_TRUE(accepted);
  EXPECT_EQ(response_head(*accepted),
            "HTTP/1.1 101 Switching Protocols\r\n"
            "Upgrade: websocket\r\n"
            "Connection: Upgrade\r\n"
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
            "Sec-WebSocket-Protocol: superchat\r\n"
            "\r\n");
}

TEST(Handshake, TakesTokensInAnyCaseAndOutOfLists) {
  HandshakeRequest request = example();
  request.upgrade = "h2c , WebSocket";
  request.connection = "keep-alive, UPGRADE";
  EXPECT_TRUE(accept_handshake(request, {}));
  request.connection = "upgraded";
  EXPECT_EQ(refused(request), HandshakeError::not_an_upgrade);
  request.connection = "keep-alive upgrade";
  EXPECT_EQ(refused(request), HandshakeError::not_an_upgrade);
}

TEST(Handshake, RefusesWhatIsWrongWithTheStatusForIt) {
  struct Case {
    void (*spoil)(HandshakeRequest&);
    HandshakeError error;
    int status;
  };
  const std::vector<Case> cases{
      {[](auto& r) { r.method = "POST"; }, HandshakeError::method_not_get, 405},
      {[](auto& r) { r.method = "get"; }, HandshakeError::method_not_get, 405},
      {[](auto& r) { r.is_http_1_1 = false; }, HandshakeError::http_version, 505},
      {[](auto& r) { r.has_body = true; }, HandshakeError::unexpected_body, 400},
      {[](auto& r) { r.host = ""; }, HandshakeError::missing_host, 400},
      {[](auto& r) { r.upgrade = ""; }, HandshakeError::not_an_upgrade, 426},
      {[](auto& r) { r.upgrade = "websockets"; }, HandshakeError::not_an_upgrade, 426},
      {[](auto& r) { r.connection = "close"; }, HandshakeError::not_an_upgrade, 426},
      {[](auto& r) { r.version = ""; }, HandshakeError::unsupported_version, 426},
      {[](auto& r) { r.version = "8"; }, HandshakeError::unsupported_version, 426},
      {[](auto& r) { r.version = "13, 13"; }, HandshakeError::unsupported_version, 426},
      {[](auto& r) { r.key = ""; }, HandshakeError::invalid_key, 400},
      {[](auto& r) { r.key = "dGhlIHNhbXBsZSBub25jZQ"; }, HandshakeError::invalid_key, 400},
      {[](auto& r) { r.key = "dGhlIHNhbXBsZSBub25j"; }, HandshakeError::invalid_key, 400},
      {[](auto& r) { r.key = "dGhlIHNhbXBsZSBub25jZWFi"; }, HandshakeError::invalid_key, 400},
      {[](auto& r) { r.key = "dGhlIHNhbXBsZSB*b25jZQ=="; }, HandshakeError::invalid_key, 400},
      {[](auto& r) { r.protocols = "chat superchat"; }, HandshakeError::malformed_protocols, 400},
      {[](auto& r) { r.protocols = "a/b"; }, HandshakeError::malformed_protocols, 400},
      {[](auto& r) { r.extensions = "x; =1"; }, HandshakeError::malformed_extensions, 400},
      {[](auto& r) { r.extensions = "x; a=\"b"; }, HandshakeError::malformed_extensions, 400},
  };
  for (const Case& c : cases) {
    HandshakeRequest request = example();
    c.spoil(request);
    const HandshakeError error = refused(request);
    EXPECT_EQ(error, c.error) << to_string(error);
    EXPECT_EQ(http_status(error), c.status) << to_string(error);
  }
}

TEST(Handshake, SelectsTheProtocolThatWePrefer) {
  HandshakeRequest request = example();
  request.protocols = "superchat, runnel.v1";
  EXPECT_EQ(accept_handshake(request, {.protocols = kProtocols})->protocol, "runnel.v1");
  request.protocols = "chat";
  EXPECT_EQ(accept_handshake(request, {.protocols = kProtocols})->protocol, "");
  EXPECT_EQ(refused(request, {.protocols = kProtocols, .is_protocol_required = true}),
            HandshakeError::no_common_protocol);
  request.protocols = "";
  EXPECT_EQ(refused(request, {.protocols = kProtocols, .is_protocol_required = true}),
            HandshakeError::no_common_protocol);
}

TEST(Handshake, LetsInOnlyPagesOfAllowedOrigins) {
  const std::vector<std::string> allowed{"https://example.org"};
  HandshakeRequest request = example();
  EXPECT_EQ(refused(request, {.allowed_origins = allowed}), HandshakeError::forbidden_origin);
  EXPECT_EQ(http_status(HandshakeError::forbidden_origin), 403);
  request.origin = "https://example.org";
  EXPECT_TRUE(accept_handshake(request, {.allowed_origins = allowed}));
  request.origin = "";
  EXPECT_TRUE(accept_handshake(request, {.allowed_origins = allowed}));
}

TEST(Handshake, HasLimitsToItsLists) {
  HandshakeRequest request = example();
  std::string list = "a";
  for (int i = 1; i < 64; ++i) list += ",a";
  request.protocols = list;
  EXPECT_TRUE(accept_handshake(request, {}));
  list += ",a";
  request.protocols = list;
  EXPECT_EQ(refused(request), HandshakeError::malformed_protocols);
}

TEST(ClientHandshake, IsUnderstoodByTheServerAndItsAnswerByTheClient) {
  const ClientHandshake client{.host = "localhost:80",
                               .target = "/v1/signal",
                               .protocols = kProtocols,
                               .nonce = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
                               .deflate = DeflatePolicy{},
                               .more_fields = "X-More: yes\r\n"};
  EXPECT_EQ(request_head(client),
            "GET /v1/signal HTTP/1.1\r\n"
            "Host: localhost:80\r\n"
            "Upgrade: websocket\r\n"
            "Connection: Upgrade\r\n"
            "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n"
            "Sec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: runnel.v1, superchat\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
            "X-More: yes\r\n"
            "\r\n");
  HandshakeRequest request = example();
  request.key = "AQIDBAUGBwgJCgsMDQ4PEA==";
  request.protocols = "runnel.v1, superchat";
  request.extensions = "permessage-deflate; client_max_window_bits";
  const auto accepted =
      accept_handshake(request, {.protocols = kProtocols, .deflate = DeflatePolicy{}});
  ASSERT_TRUE(accepted);
  HandshakeResponse response{.status = 101,
                             .upgrade = "WebSocket",
                             .connection = "upgrade",
                             .accept = accepted->accept,
                             .protocol = accepted->protocol,
                             .extensions = accepted->extensions};
  const auto agreed = check_response(response, client);
  ASSERT_TRUE(agreed);
  EXPECT_EQ(agreed->protocol, "runnel.v1");
  EXPECT_EQ(agreed->deflate, accepted->deflate);

  const auto error = [&](auto spoil) {
    HandshakeResponse spoiled = response;
    spoil(spoiled);
    return check_response(spoiled, client).error();
  };
  EXPECT_EQ(error([](auto& r) { r.status = 200; }), HandshakeError::not_switching);
  EXPECT_EQ(error([](auto& r) { r.upgrade = ""; }), HandshakeError::not_switching);
  EXPECT_EQ(error([](auto& r) { r.connection = ""; }), HandshakeError::not_switching);
  EXPECT_EQ(error([](auto& r) { r.accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="; }),
            HandshakeError::wrong_accept);
  EXPECT_EQ(error([](auto& r) { r.protocol = "other"; }), HandshakeError::unexpected_protocol);
  EXPECT_EQ(error([](auto& r) { r.extensions = "x-other"; }),
            HandshakeError::unexpected_extensions);
}

TEST(ClientHandshake, RefusesExtensionsThatItDidNotOffer) {
  const ClientHandshake client{.host = "h", .target = "/"};
  const std::string accept = accept_key("AAAAAAAAAAAAAAAAAAAAAA==");
  const HandshakeResponse response{.status = 101,
                                   .upgrade = "websocket",
                                   .connection = "Upgrade",
                                   .accept = accept,
                                   .extensions = "permessage-deflate"};
  EXPECT_EQ(check_response(response, client).error(), HandshakeError::unexpected_extensions);
}

}  // namespace
}  // namespace runnel::websocket
