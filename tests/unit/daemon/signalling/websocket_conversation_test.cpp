// What leaves by a WebSocket under pressure, over a pair of sockets that nobody reads unless the
// test does.
#include "daemon/signalling/websocket_conversation.h"

#include <array>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <gtest/gtest.h>

#include "daemon/entropy.h"
#include "tests/unit/daemon/allocation_counter.h"

namespace runnel::daemon {
namespace {

class WebSocketConversationTest : public testing::Test {
 protected:
  static constexpr std::size_t kLimit = 16 * 1024;

  WebSocketConversationTest() {
    std::array<int, 2> pair{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()), 0);
    stream_.emplace(FileDescriptor(pair[0]), nullptr, false);
    peer_ = FileDescriptor(pair[1]);
    output_.emplace(*stream_, websocket::SendQueueLimits{.max_bytes = kLimit});
    const websocket::DeflateParameters deflate{.server_max_window_bits = 12};
    server_.emplace(WebSocketSettings{}, session::ConnectionId{1}, deflate, Timestamp{}, *output_);
    websocket::ConnectionOptions options;
    options.role = websocket::Role::client;
    options.masking_keys = &random_;
    options.deflate = deflate;
    client_.emplace(Timestamp{}, options);
  }

  std::size_t read_socket() {
    std::size_t total = 0;
    for (;;) {
      const ssize_t size =
          ::recv(peer_.get(), bytes_.data() + total, bytes_.size() - total, MSG_DONTWAIT);
      if (size <= 0) return total;
      total += static_cast<std::size_t>(size);
    }
  }
  // The messages that have come, and the code of the Close frame behind them.
  std::vector<std::string> read_messages() {
    std::vector<std::string> messages;
    output_->flush();
    const std::size_t size = read_socket();
    client_->receive(Timestamp{}, ByteSpan(bytes_).first(size));
    while (const auto event = client_->next()) {
      if (const auto* message = std::get_if<websocket::Message>(&*event)) {
        messages.emplace_back(message->payload.begin(), message->payload.end());
      } else if (const auto* closed = std::get_if<websocket::Closed>(&*event)) {
        code_ = closed->code;
        EXPECT_FALSE(closed->error) << to_string(*closed->error);
      }
    }
    return messages;
  }
  // Long enough to be compressed, and little enough compressible to fill the queue.
  std::string text(std::size_t size = 1000) {
    std::string text(size, ' ');
    for (char& character : text) character = static_cast<char>('!' + random_.u32() % 90);
    return text;
  }
  void send(session::TextClass text_class, const std::string& text) {
    server_->send_text(Timestamp{}, text_class, text);
  }

  SystemRandom random_;
  std::optional<ByteStream> stream_;
  FileDescriptor peer_;
  std::optional<Output> output_;
  std::optional<WebSocketConversation> server_;
  std::optional<websocket::Connection> client_;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(256 * 1024);
  std::optional<websocket::CloseCode> code_;
};

TEST_F(WebSocketConversationTest, DiscardsStatisticsAndStaysReadable) {
  std::vector<std::string> sent;
  for (int i = 0; i < 40; ++i) {
    sent.push_back(text());
    send(session::TextClass::statistics, sent.back());
  }
  const auto discarded = output_->queue().counters().discarded_statistics;
  EXPECT_GT(discarded, 0u);
  EXPECT_LE(output_->size(), kLimit);
  const auto received = read_messages();
  ASSERT_EQ(received.size(), sent.size() - discarded);
  for (std::size_t i = 0; i < received.size(); ++i) EXPECT_EQ(received[i], sent[i]);
  // Compressed messages refer to those before them, so that a discarded one must not count.
  send(session::TextClass::statistics, sent.back());
  EXPECT_EQ(read_messages(), std::vector{sent.back()});
  EXPECT_FALSE(server_->is_too_slow());
}

TEST_F(WebSocketConversationTest, ClosesBehindTheSignallingThatHadRoom) {
  std::size_t sent = 0;
  for (; !server_->is_too_slow(); ++sent) send(session::TextClass::signalling, text());
  EXPECT_LE(output_->size(), kLimit);
  send(session::TextClass::signalling, text());
  EXPECT_EQ(read_messages().size(), sent - 1);
  EXPECT_EQ(code_, websocket::CloseCode::try_again_later);
}

TEST_F(WebSocketConversationTest, TakesNoMoreMediaThanItSaysItHasRoomFor) {
  std::vector<std::uint8_t> payload(1000);
  for (int i = 0; i < 40; ++i) {
    if (server_->media_room() < payload.size() + 4) break;
    session::MediaMessage message{.header = {}, .header_size = 4, .payload = payload};
    server_->send_media(message, /*more=*/true);
  }
  EXPECT_LT(server_->media_room(), payload.size() + 4);
  EXPECT_EQ(output_->queue().counters().refused_media, 0u);
  send(session::TextClass::signalling, "there is room for words");
  EXPECT_FALSE(server_->is_too_slow());
  EXPECT_GT(read_messages().size(), 10u);
}

TEST_F(WebSocketConversationTest, AllocatesNothingForAMediaMessage) {
  if (!new_is_counted()) GTEST_SKIP() << "ThreadSanitizer has operator new for itself";
  std::vector<std::uint8_t> payload(1000);
  const session::MediaMessage message{.header = {}, .header_size = 4, .payload = payload};
  std::size_t arrived = 0;
  const std::uint64_t before = allocations_of_this_thread();
  for (int i = 0; i < 1000; ++i) {
    server_->send_media(message, /*more=*/false);
    arrived += read_socket();
  }
  EXPECT_EQ(allocations_of_this_thread(), before);
  EXPECT_EQ(arrived, 1000u * (4 + 4 + 1000));
}

}  // namespace
}  // namespace runnel::daemon
