// Reading, answering and queueing small messages allocates nothing once it is warm.
#include <gtest/gtest.h>

#include "core/websocket/send_queue.h"
#include "tests/allocations/counting_allocator.h"
#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using test::Bytes;
using test::noise;
using test::operator+;

/// One of each kind that a client sends while all goes well.
Bytes usual_traffic() {
  return test::binary(noise(1200)) + test::text("{\"do\":\"stats\"}") +
         test::frame({.opcode = Opcode::ping}, test::bytes_of("ping")) +
         test::frame({.fin = false}, noise(700)) +
         test::frame({.opcode = Opcode::continuation}, noise(700));
}

/// Receives the traffic in two pieces, and queues an echo of it and what is owed.
void echo(Connection& connection, SendQueue& queue, ByteView traffic, Bytes& buffer) {
  for (const ByteView piece : {traffic.first(600), traffic.subspan(600)}) {
    copy_bytes(buffer, piece);
    connection.receive(test::kStart, ByteSpan(buffer).first(piece.size()));
    while (const auto event = connection.next()) {
      if (const auto* message = std::get_if<Message>(&*event)) {
        const auto frame = connection.frame(message->opcode, message->payload);
        const std::array parts{frame->header.view(), frame->payload};
        ASSERT_EQ(queue.offer(MessageClass::media, parts), Admission::accepted);
      }
      const std::array output{connection.take_output()};
      ASSERT_EQ(queue.offer(MessageClass::control, output), Admission::accepted);
    }
  }
  queue.consumed(queue.size());
}

TEST(WebSocket, AllocatesNothingForSmallMessagesOnceItIsWarm) {
  for (const bool deflate : {false, true}) {
    Connection connection(test::kStart,
                          {.deflate = deflate ? std::optional(DeflateParameters{}) : std::nullopt});
    SendQueue queue({.kept_bytes = 8192});
    const Bytes traffic = usual_traffic();
    Bytes buffer(traffic.size());
    std::size_t before = 0;
    for (int i = 0; i < 200; ++i) {
      if (i == 100) before = runnel::test::allocation_count();
      echo(connection, queue, traffic, buffer);
    }
    EXPECT_EQ(runnel::test::allocation_count(), before);
  }
}

}  // namespace
}  // namespace runnel::websocket
