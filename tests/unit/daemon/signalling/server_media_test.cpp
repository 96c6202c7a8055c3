// Media from WebSocket to WebSocket: whole, in order, and bounded for who does not read.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/unit/daemon/signalling/serving.h"
#include "tests/unit/daemon/signalling/websocket_client.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;

class ServerMediaTest : public testing::Test {
 protected:
  void open(WebSocketClient& client, const std::string& wish) {
    client.tcp.send(upgrade_request() + client.text_frame(R"({"id":1,"do":"hello"})") +
                    client.text_frame(wish));
    ASSERT_TRUE(serving_.run_until([&] { return client.has("\"re\":2"); })) << client.head;
    ASSERT_THAT(client.messages.back(), HasSubstr("\"ok\""));
  }
  void publish(WebSocketClient& client) {
    open(client, R"({"id":2,"do":"publish","stream":"s","tracks":[{"payload_type":0}],)"
                 R"("leg":{"websocket":{}}})");
    const std::string& answer = client.messages.back();
    ssrc_ = static_cast<std::uint32_t>(
        std::stoul(answer.substr(answer.find("\"ssrc\":") + std::string("\"ssrc\":").size())));
  }
  void subscribe(WebSocketClient& client) {
    open(client, R"({"id":2,"do":"subscribe","stream":"s","wait_ms":10000,)"
                 R"("leg":{"websocket":{}}})");
    client.messages.clear();
  }
  // A media message (kind 0, channel 1) of one PCMU packet.
  std::string media(WebSocketClient& client, std::uint16_t number, std::size_t size = 160) const {
    std::vector<std::uint8_t> message(4 + 12 + size, 0x55);
    message[0] = 0x10;
    message[1] = 0;
    store_be16(message.data() + 2, 1);
    message[4] = 0x80;
    message[5] = 0;
    store_be16(message.data() + 6, number);
    store_be32(message.data() + 8, number * 160u);
    store_be32(message.data() + 12, ssrc_);
    return client.binary_frame(message);
  }
  // The binary messages among what came.
  static std::vector<std::string> packets(const WebSocketClient& client) {
    std::vector<std::string> packets;
    for (const std::string& message : client.messages) {
      if (!message.empty() && message[0] == '\x10') packets.push_back(message);
    }
    return packets;
  }
  static std::uint16_t sequence_number(const std::string& message) {
    return load_be16(reinterpret_cast<const std::uint8_t*>(message.data()) + 6);
  }

  ServingOptions options() {
    ServingOptions options;
    options.server.connection.send_queue.max_bytes = 64 * 1024;
    return options;
  }
  Serving serving_{options()};
  std::uint32_t ssrc_ = 0;
};

TEST_F(ServerMediaTest, ReachesEverySubscriberInOrder) {
  WebSocketClient publisher(serving_.address());
  publish(publisher);
  WebSocketClient one(serving_.address());
  WebSocketClient two(serving_.address());
  subscribe(one);
  subscribe(two);
  std::string burst;
  for (std::uint16_t i = 0; i < 100; ++i) burst += media(publisher, i);
  publisher.tcp.send(burst);
  for (WebSocketClient* client : {&one, &two}) {
    ASSERT_TRUE(serving_.run_until([&] {
      client->poll();
      return packets(*client).size() == 100;
    })) << packets(*client).size();
    const auto received = packets(*client);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(received[i].size(), 4u + 12u + 160u);
      EXPECT_EQ(sequence_number(received[i]),
                static_cast<std::uint16_t>(sequence_number(received[0]) + i));
    }
  }
}

TEST_F(ServerMediaTest, ASlowReaderLosesMediaAndNothingElse) {
  WebSocketClient publisher(serving_.address());
  publish(publisher);
  WebSocketClient slow(serving_.address(), 4096);
  WebSocketClient quick(serving_.address());
  subscribe(slow);
  subscribe(quick);
  constexpr std::uint16_t kCount = 15'000;
  std::uint16_t sent = 0;
  std::string waiting;
  std::size_t arrived = 0;
  ASSERT_TRUE(serving_.run_until([&] {
    // No faster than the quick one reads.
    while (sent < kCount && sent - arrived < 40) waiting += media(publisher, sent++, 1000);
    waiting.erase(0, publisher.tcp.send(waiting));
    quick.poll();
    arrived += packets(quick).size();
    quick.messages.clear();
    return arrived == kCount;
  })) << arrived;
  // It is still served, and what it gets is whole.
  slow.send_text(R"({"id":3,"do":"stats","stream":"s"})");
  EXPECT_TRUE(serving_.run_until([&] { return slow.has("\"re\":3"); }));
  const auto received = packets(slow);
  EXPECT_GT(received.size(), 0u);
  EXPECT_LT(received.size(), kCount);
  for (const std::string& message : received) ASSERT_EQ(message.size(), 4u + 12u + 1000u);
  EXPECT_EQ(serving_.server().statistics().websockets, 3u);
}

}  // namespace
}  // namespace runnel::daemon
