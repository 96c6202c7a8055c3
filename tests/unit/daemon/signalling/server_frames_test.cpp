// Encoded frames from WebSocket to WebSocket: of any size, whole, and without hurting others.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/unit/daemon/signalling/serving.h"
#include "tests/unit/daemon/signalling/websocket_client.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;

class ServerFrames : public testing::Test {
 protected:
  void open(WebSocketClient& client, const std::string& wish) {
    client.tcp.send(upgrade_request() + client.text_frame(R"({"id":1,"do":"hello"})") +
                    client.text_frame(wish));
    ASSERT_TRUE(serving_.run_until([&] { return client.has("\"re\":2"); })) << client.head;
    ASSERT_THAT(client.messages.back(), HasSubstr("\"ok\""));
    client.messages.clear();
  }
  void publish(WebSocketClient& client, const std::string& stream) {
    open(client, R"({"id":2,"do":"publish","stream":")" + stream +
                     R"(","tracks":[{"codec":"VP8/90000"}],)"
                     R"("leg":{"websocket":{"format":"frame"}}})");
  }
  void subscribe(WebSocketClient& client, const std::string& stream) {
    open(client, R"({"id":2,"do":"subscribe","stream":")" + stream +
                     R"(","leg":{"websocket":{"format":"frame"}}})");
  }
  // A media message (kind 1, channel 1) of one VP8 key frame.
  static std::vector<std::uint8_t> key_frame(std::size_t size, std::uint64_t microseconds) {
    std::vector<std::uint8_t> message(12 + size);
    message[0] = 0x11;
    message[1] = 0x01;
    store_be16(message.data() + 2, 1);
    store_be64(message.data() + 4, microseconds);
    const std::uint8_t start[] = {0x10, 0x00, 0x00, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00};
    for (std::size_t i = 0; i < size; ++i) {
      message[12 + i] = i < std::size(start) ? start[i] : static_cast<std::uint8_t>(i * 31 + size);
    }
    return message;
  }
  static std::vector<std::string> frames(const WebSocketClient& client) {
    std::vector<std::string> frames;
    for (const std::string& message : client.messages) {
      if (!message.empty() && message[0] == '\x11') frames.push_back(message.substr(12));
    }
    return frames;
  }

  Serving serving_;
};

TEST_F(ServerFrames, OfAnySizeArriveWhole) {
  WebSocketClient publisher(serving_.address());
  publish(publisher, "s");
  WebSocketClient viewer(serving_.address());
  subscribe(viewer, "s");
  std::uint64_t time = 0;
  for (const std::size_t size : {1'000U, 74'000U, 76'000U, 80'000U, 300'000U, 300'000U}) {
    const auto message = key_frame(size, time += 33'000);
    std::string waiting = publisher.binary_frame(message);
    viewer.messages.clear();
    ASSERT_TRUE(serving_.run_until([&] {
      waiting.erase(0, publisher.tcp.send(waiting));
      viewer.poll();
      return !frames(viewer).empty();
    })) << size;
    EXPECT_EQ(frames(viewer).front(), std::string(message.begin() + 12, message.end())) << size;
  }
}

TEST_F(ServerFrames, OfAnySizeLeaveOtherPublishersAlone) {
  WebSocketClient large(serving_.address());
  WebSocketClient small(serving_.address());
  publish(large, "large");
  publish(small, "small");
  WebSocketClient viewer(serving_.address());
  subscribe(viewer, "small");
  std::string big = large.binary_frame(key_frame(300'000, 33'000));
  std::string few;
  for (std::uint64_t i = 1; i <= 10; ++i) few += small.binary_frame(key_frame(2'000, i * 33'000));
  EXPECT_TRUE(serving_.run_until([&] {
    big.erase(0, large.tcp.send(big));
    if (big.empty()) few.erase(0, small.tcp.send(few));
    viewer.poll();
    return frames(viewer).size() == 10;
  })) << frames(viewer).size();
}

}  // namespace
}  // namespace runnel::daemon
