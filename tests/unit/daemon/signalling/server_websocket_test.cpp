// WebSockets on real connections: opened, used, closed, and bounded for who does not read.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/daemon/signalling/serving.h"
#include "tests/unit/daemon/signalling/websocket_client.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using websocket::CloseCode;

const std::string kHello = R"({"id":1,"do":"hello"})";

/// A client that has said hello.
void greet(Serving& serving, WebSocketClient& client) {
  client.tcp.send(upgrade_request() + client.text_frame(kHello));
  ASSERT_TRUE(serving.run_until([&] { return client.has("\"session\""); })) << client.head;
}

TEST(ServerWebSocket, TakesFramesThatStandBehindTheRequest) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  EXPECT_THAT(client.head,
              AllOf(StartsWith("HTTP/1.1 101 "), HasSubstr("Sec-WebSocket-Protocol: runnel.v1\r\n"),
                    Not(HasSubstr("Sec-WebSocket-Extensions"))));
  EXPECT_EQ(serving.server().statistics().websockets, 1u);
  EXPECT_EQ(serving.desk().counts().sessions, 1u);
}

TEST(ServerWebSocket, TakesFramesByteByByte) {
  Serving serving;
  WebSocketClient client(serving.address());
  for (const char byte : upgrade_request() + client.text_frame(kHello)) {
    client.tcp.send({&byte, 1});
    serving.run_until([] { return true; });
  }
  EXPECT_TRUE(serving.run_until([&] { return client.has("\"session\""); }));
}

TEST(ServerWebSocket, TakesLittleFromStrangers) {
  Serving serving;
  WebSocketClient stranger(serving.address());
  stranger.tcp.send(upgrade_request() + stranger.text_frame(std::string(16 * 1024 + 1, ' ')));
  EXPECT_TRUE(serving.run_until([&] { return stranger.is_closed(); }));
  EXPECT_EQ(stranger.closed, CloseCode::message_too_big);
  WebSocketClient guest(serving.address());
  greet(serving, guest);
  guest.tcp.send(guest.text_frame(std::string(16 * 1024 + 1, ' ')));
  EXPECT_TRUE(serving.run_until([&] { return guest.has("bad_json"); }));
}

TEST(ServerWebSocket, RefusesWhatIsNoHandshake) {
  Serving serving;
  EXPECT_THAT(serving.answer_to(get("/v1/signal")),
              AllOf(StartsWith("HTTP/1.1 426 "), HasSubstr("Upgrade: websocket\r\n"),
                    HasSubstr("Sec-WebSocket-Version: 13\r\n")));
  TcpClient other(serving.address());
  constexpr std::array<std::string_view, 1> kOther{"mqtt"};
  other.send(upgrade_request("/v1/signal", kOther));
  EXPECT_TRUE(serving.run_until_received(other, "HTTP/1.1 400 "));
  TcpClient page(serving.address());
  std::string request = upgrade_request();
  request.insert(request.size() - 2, "Origin: https://evil.example\r\n");
  page.send(request);
  EXPECT_TRUE(serving.run_until_received(page, "HTTP/1.1 403 "));
  EXPECT_EQ(serving.desk().counts().connections, 0u);
}

TEST(ServerWebSocket, NeedsNoSubprotocol) {
  Serving serving;
  WebSocketClient client(serving.address());
  client.tcp.send(upgrade_request("/v1/signal", {}) + client.text_frame(kHello));
  EXPECT_TRUE(serving.run_until([&] { return client.has("\"session\""); }));
  EXPECT_THAT(client.head, Not(HasSubstr("Sec-WebSocket-Protocol")));
}

TEST(ServerWebSocket, AnswersManyTextsOfOneWakeUpInOrder) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  client.messages.clear();
  std::string frames;
  for (int i = 2; i < 52; ++i) {
    frames += client.text_frame(R"({"id":)" + std::to_string(i) + R"(,"do":"nothing"})");
  }
  client.tcp.send(frames);
  ASSERT_TRUE(serving.run_until([&] { return client.has("\"re\":51"); }));
  ASSERT_EQ(client.messages.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_THAT(client.messages[i], HasSubstr("\"re\":" + std::to_string(i + 2)));
  }
}

TEST(ServerWebSocket, ClosesWhoSaysBye) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  client.send_text(R"({"id":2,"do":"bye"})");
  ASSERT_TRUE(serving.run_until([&] { return client.is_closed(); }));
  EXPECT_EQ(client.closed, CloseCode::normal);
  EXPECT_TRUE(serving.run_until([&] { return client.tcp.has_ended(); })) << "the server ends first";
  client.tcp.close();
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 0; }));
  EXPECT_EQ(serving.desk().counts().connections, 0u);
}

TEST(ServerWebSocket, AnswersACloseAndForgetsTheConnection) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  client.close();
  ASSERT_TRUE(serving.run_until([&] { return client.is_closed(); }));
  EXPECT_EQ(serving.desk().counts().connections, 0u);
}

TEST(ServerWebSocket, NoticesThatAClientIsGone) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  client.tcp.close();
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 0; }));
  EXPECT_EQ(serving.desk().counts().connections, 0u);
  EXPECT_EQ(serving.server().statistics().failed, 1u);
}

TEST(ServerWebSocket, ClosesWithTheCodeOfTheViolation) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  const std::string unmasked{"\x81\x01x", 3};
  client.tcp.send(unmasked + std::string(100'000, 'y'));
  ASSERT_TRUE(serving.run_until([&] { return client.is_closed(); }));
  EXPECT_EQ(client.closed, CloseCode::protocol_error);
  EXPECT_FALSE(client.tcp.was_reset()) << "what the client still sends is read";
}

TEST(ServerWebSocket, RefusesMessagesBeyondTheLimit) {
  ServingOptions options;
  options.server.connection.websocket.limits.max_frame_size = 100;
  options.server.connection.websocket.limits.max_message_size = 100;
  Serving serving(std::move(options));
  WebSocketClient client(serving.address());
  greet(serving, client);
  client.send_text(std::string(100, ' '));
  EXPECT_TRUE(serving.run_until([&] { return client.has("bad_json"); }));
  client.send_text(std::string(101, ' '));
  ASSERT_TRUE(serving.run_until([&] { return client.is_closed(); }));
  EXPECT_EQ(client.closed, CloseCode::message_too_big);
}

TEST(ServerWebSocket, PingsTheSilentAndClosesTheDead) {
  ServingOptions options;
  options.server.connection.websocket.ping_interval = 50ms;
  Serving serving(std::move(options));
  WebSocketClient living(serving.address());
  greet(serving, living);
  WebSocketClient dead(serving.address());
  greet(serving, dead);
  // The dead one does not read, so it answers no ping.
  EXPECT_TRUE(serving.run_until([&] {
    living.poll();
    return serving.server().statistics().websockets == 1;
  }));
  EXPECT_FALSE(living.is_closed());
}

/// Asks without end and reads no answer: far more answers than buffers of the kernel hold.
class GreedyClient : public WebSocketClient {
 public:
  explicit GreedyClient(const SocketAddress& server) : WebSocketClient(server, 4096) {
    for (int i = 0; i < 5'000; ++i) frames_ += text_frame("x");
  }
  /// Whether all has been asked.
  bool ask() {
    sent_ += tcp.send(std::string_view(frames_).substr(sent_ % frames_.size()));
    return sent_ > 40 * frames_.size();
  }

 private:
  std::string frames_;
  std::size_t sent_ = 0;
};

// What waits for a client is bounded, and signalling is never lost without the connection.
TEST(ServerWebSocket, ClosesWhoReadsTooSlowly) {
  ServingOptions options;
  options.server.connection.send_queue.max_bytes = 32 * 1024;
  options.server.connection.websocket.close_timeout = 50ms;
  Serving serving(std::move(options));
  GreedyClient client(serving.address());
  greet(serving, client);
  ASSERT_TRUE(serving.run_until([&] {
    client.ask();
    return serving.server().statistics().too_slow == 1;
  }));
  EXPECT_EQ(serving.server().statistics().connections, 0u);
  EXPECT_EQ(serving.desk().counts().connections, 0u);
}

TEST(ServerWebSocket, TellsALateReaderThatItWasTooSlow) {
  ServingOptions options;
  options.server.connection.send_queue.max_bytes = 32 * 1024;
  options.server.connection.websocket.close_timeout = 60s;
  Serving serving(std::move(options));
  GreedyClient client(serving.address());
  greet(serving, client);
  ASSERT_TRUE(serving.run_until([&] { return client.ask(); }))
      << "the server reads on, and skips what comes behind its Close";
  ASSERT_TRUE(serving.run_until([&] { return client.is_closed(); }));
  EXPECT_EQ(client.closed, CloseCode::try_again_later);
}

TEST(ServerWebSocket, CompressesLongTextsForClientsThatOfferIt) {
  Serving serving;
  WebSocketClient client(serving.address());
  client.tcp.send(upgrade_request("/v1/signal", kRunnelProtocol, true) + client.text_frame(kHello));
  ASSERT_TRUE(serving.run_until([&] { return !client.tcp.received().empty(); }));
  EXPECT_THAT(client.tcp.received(), HasSubstr("Sec-WebSocket-Extensions: permessage-deflate"));
}

TEST(ServerWebSocket, SaysGoodbyeWhenTheProgramEnds) {
  Serving serving;
  WebSocketClient client(serving.address());
  greet(serving, client);
  bool has_ended = false;
  serving.worker().shut_down([&] { has_ended = true; });
  EXPECT_FALSE(has_ended);
  EXPECT_THAT(serving.answer_to(get("/readyz")), StartsWith("HTTP/1.1 503 "));
  EXPECT_TRUE(serving.run_until([&] { return client.is_closed() && has_ended; }));
  EXPECT_EQ(client.closed, CloseCode::going_away);
}

TEST(ServerWebSocket, EndsAlthoughAClientDoesNotSayGoodbye) {
  ServingOptions options;
  options.server.farewell = 50ms;
  Serving serving(std::move(options));
  WebSocketClient client(serving.address());
  greet(serving, client);
  bool has_ended = false;
  serving.worker().shut_down([&] { has_ended = true; });
  EXPECT_TRUE(serving.run_until([&] { return has_ended; }));
}

TEST(ServerWebSocket, EndsAtOnceWithoutClients) {
  Serving serving;
  bool has_ended = false;
  serving.worker().shut_down([&] { has_ended = true; });
  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace runnel::daemon
