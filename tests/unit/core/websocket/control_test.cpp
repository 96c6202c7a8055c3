// Control frames and time: pings, the closing handshake, peers that fall silent.
#include <gtest/gtest.h>

#include "core/websocket/connection.h"
#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using namespace std::chrono_literals;
using namespace test;

Connection server() {
  return {kStart, {}};
}

Told message(std::string kind, Bytes payload) {
  return {.kind = std::move(kind), .payload = std::move(payload), .code = {}, .error = {}};
}

const Bytes kHel = frame({.fin = false, .opcode = Opcode::text}, bytes_of("Hel"));
const Bytes kLo = frame({.opcode = Opcode::continuation}, bytes_of("lo"));
const Bytes kPing = frame({.opcode = Opcode::ping}, bytes_of("Hello"));

TEST(ConnectionControl, AnswersEveryPingAndOnlyTheLatestOfAFlood) {
  Connection connection = server();
  Bytes expected;
  for (char i = '0'; i <= '9'; ++i) {
    receive(connection, frame({.opcode = Opcode::ping}, bytes_of(std::string("payload-") + i)));
    expected = expected +
               frame({.opcode = Opcode::pong}, bytes_of(std::string("payload-") + i), Role::server);
  }
  EXPECT_EQ(copy_of(connection.take_output()), expected);

  for (std::uint8_t i = 0; i < 200; ++i) {
    receive(connection, frame({.opcode = Opcode::ping}, Bytes(125, i)));
  }
  EXPECT_LE(connection.memory(), 3 * ControlOutput::kMaxWaiting);
  const Bytes output = copy_of(connection.take_output());
  EXPECT_LE(output.size(), ControlOutput::kMaxWaiting + 127);
  EXPECT_EQ(Bytes(output.end() - 125, output.end()), Bytes(125, 199));
  EXPECT_FALSE(connection.has_output());
}

TEST(ConnectionControl, AnswersACloseWithTheSameAndIsDone) {
  const std::vector<Bytes> payloads{{},
                                    close_payload(1000),
                                    close_payload(1001, "bye"),
                                    close_payload(4999, std::string(123, 'x'))};
  for (const Bytes& payload : payloads) {
    for (const std::size_t piece : {SIZE_MAX, std::size_t{1}}) {
      Connection connection = server();
      Bytes output;
      const auto events = receive(
          connection, frame({.opcode = Opcode::close}, payload) + text("too late"), piece, &output);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_TRUE(events[0].by_peer);
      EXPECT_FALSE(events[0].error);
      EXPECT_EQ(events[0].code, payload.empty()
                                    ? CloseCode::no_status
                                    : static_cast<CloseCode>(load_be16(payload.data())));
      EXPECT_EQ(output, frame({.opcode = Opcode::close}, payload, Role::server));
    }
  }
}

TEST(ConnectionControl, ClosesAndWaitsForTheAnswerWhileMessagesAreSkipped) {
  Connection connection = server();
  receive(connection, kHel);
  connection.close(kStart, CloseCode::going_away, "restart");
  EXPECT_EQ(copy_of(connection.take_output()),
            frame({.opcode = Opcode::close}, close_payload(1001, "restart"), Role::server));
  EXPECT_FALSE(connection.is_open());
  EXPECT_FALSE(connection.frame_header(Opcode::binary, 5));
  EXPECT_EQ(connection.next_timeout(), kStart + 5s);
  Bytes output;
  EXPECT_EQ(receive(connection, kLo + binary(noise(100)) + kPing, 3, &output),
            std::vector{message("ping", bytes_of("Hello"))});
  EXPECT_TRUE(output.empty());  // nothing is sent after a Close frame (RFC 6455 §5.5.1)
  const auto events = receive(connection, frame({.opcode = Opcode::close}, close_payload(1001)));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_FALSE(events[0].by_peer);
  EXPECT_FALSE(events[0].error);
  EXPECT_FALSE(connection.next_timeout());
}

TEST(ConnectionControl, DoesNotWaitForeverForTheAnswerToAClose) {
  Connection connection = server();
  connection.close(kStart, CloseCode::try_again_later);
  connection.handle_timeout(kStart + 5s - 1ns);
  EXPECT_TRUE(drain(connection).empty());
  connection.handle_timeout(kStart + 5s);
  EXPECT_TRUE(fails_with(drain(connection), Error::close_timeout));
}

TEST(ConnectionControl, CutsAReasonBetweenCharacters) {
  Connection connection = server();
  std::string reason(122, 'x');
  connection.close(kStart, CloseCode::normal, reason + "\xc3\xa4");
  EXPECT_EQ(copy_of(connection.take_output()),
            frame({.opcode = Opcode::close}, close_payload(1000, reason), Role::server));
}

TEST(ConnectionControl, PingsASilentPeerAndGivesItUp) {
  Connection connection(kStart, {.ping_interval = 10s, .pong_timeout = 3s});
  EXPECT_EQ(connection.next_timeout(), kStart + 10s);
  connection.handle_timeout(kStart + 10s);
  EXPECT_EQ(copy_of(connection.take_output()), (Bytes{0x89, 0x00}));
  EXPECT_EQ(connection.next_timeout(), kStart + 13s);

  Bytes pong = frame({.opcode = Opcode::pong}, {});
  connection.receive(kStart + 12s, pong);
  EXPECT_EQ(drain(connection), std::vector{message("pong", {})});
  EXPECT_EQ(connection.next_timeout(), kStart + 22s);
  connection.handle_timeout(kStart + 22s);
  connection.handle_timeout(kStart + 25s);
  EXPECT_TRUE(fails_with(drain(connection), Error::pong_timeout));
}

TEST(ConnectionControl, TellsOfATransportThatEnded) {
  Connection connection = server();
  receive(connection, kHel);
  connection.transport_closed();
  EXPECT_TRUE(fails_with(drain(connection), Error::transport_closed));
  EXPECT_FALSE(connection.has_output());

  Connection closed = server();
  receive(closed, frame({.opcode = Opcode::close}, {}));
  closed.transport_closed();
  EXPECT_TRUE(drain(closed).empty());
}

}  // namespace
}  // namespace runnel::websocket
