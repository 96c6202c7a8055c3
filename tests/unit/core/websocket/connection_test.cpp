#include "core/websocket/connection.h"

#include <gtest/gtest.h>

#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using namespace test;

Connection server(const Limits& limits = {}) {
  return {kStart, {.limits = limits}};
}

Told message(std::string kind, Bytes payload) {
  return {.kind = std::move(kind), .payload = std::move(payload), .code = {}, .error = {}};
}

const Bytes kHel = frame({.fin = false, .opcode = Opcode::text}, bytes_of("Hel"));
const Bytes kLo = frame({.opcode = Opcode::continuation}, bytes_of("lo"));
const Bytes kPing = frame({.opcode = Opcode::ping}, bytes_of("Hello"));

TEST(Connection, ReadsTheExamplesOfRfc6455Section57) {
  Connection connection = server();
  EXPECT_EQ(receive(connection, {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58}),
            std::vector{message("text", bytes_of("Hello"))});
  Bytes output;
  EXPECT_EQ(receive(connection, {0x89, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58},
                    SIZE_MAX, &output),
            std::vector{message("ping", bytes_of("Hello"))});
  EXPECT_EQ(output, (Bytes{0x8a, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f}));

  SeededRandom random;
  Connection client(kStart, {.role = Role::client, .masking_keys = &random});
  EXPECT_EQ(receive(client, {0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f}),
            std::vector{message("text", bytes_of("Hello"))});
  EXPECT_EQ(receive(client, {0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f}),
            std::vector{message("text", bytes_of("Hello"))});
  EXPECT_EQ(receive(client, Bytes{0x82, 0x7e, 0x01, 0x00} + noise(256)),
            std::vector{message("binary", noise(256))});
  EXPECT_EQ(receive(client, Bytes{0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0} + noise(65536)),
            std::vector{message("binary", noise(65536))});
}

TEST(Connection, ReadsEverySizeHoweverItIsCut) {
  for (std::size_t size = 0; size <= 300; ++size) {
    const Bytes payload = noise(size, static_cast<unsigned>(size));
    const Bytes wire = binary(payload) + binary(payload);
    for (std::size_t piece = 1; piece <= wire.size(); piece += piece < 20 ? 1 : 7) {
      Connection connection = server();
      ASSERT_EQ(receive(connection, wire, piece),
                (std::vector{message("binary", payload), message("binary", payload)}))
          << size << " bytes in pieces of " << piece;
    }
  }
}

TEST(Connection, ReadsSizesAroundTheBordersOfTheLength) {
  for (const std::size_t size : {125u, 126u, 127u, 65534u, 65535u, 65536u, 65537u, 1'000'000u}) {
    const Bytes payload = noise(size);
    for (const std::size_t piece : {SIZE_MAX, size, std::size_t{1000}}) {
      Connection connection = server();
      EXPECT_EQ(receive(connection, binary(payload), piece),
                std::vector{message("binary", payload)});
    }
  }
}

TEST(Connection, DoesNotCopyAWholeFrame) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{16}, std::size_t{70'000}}) {
    Connection connection = server();
    Bytes wire = binary(noise(size));
    connection.receive(kStart, wire);
    const auto event = connection.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(std::get<Message>(*event).payload.data(), wire.data() + wire.size() - size);
    EXPECT_EQ(connection.memory(), 0u);
  }
}

TEST(Connection, JoinsFragmentsAndAnswersControlFramesBetween) {
  const Bytes wire = kHel + kPing + frame({.fin = false, .opcode = Opcode::continuation}, {}) + kLo;
  for (std::size_t piece = 1; piece <= wire.size(); ++piece) {
    Connection connection = server();
    Bytes output;
    EXPECT_EQ(
        receive(connection, wire, piece, &output),
        (std::vector{message("ping", bytes_of("Hello")), message("text", bytes_of("Hello"))}));
    EXPECT_EQ(output, frame({.opcode = Opcode::pong}, bytes_of("Hello"), Role::server));
  }
}

TEST(Connection, TellsTheSameHoweverItsBytesAreCut) {
  std::minstd_rand random(11);
  for (unsigned round = 0; round < 300; ++round) {
    Bytes wire;
    for (int i = 0; i < 20; ++i) {
      const Bytes payload = noise(random() % (random() % 4 == 0 ? 3000 : 130), random());
      switch (random() % 5) {
        case 0:
          wire = wire + frame({.opcode = Opcode::ping}, Bytes(payload.size() % 126, 1));
          break;
        case 1:
          wire = wire + frame({.fin = false}, payload) + kPing +
                 frame({.opcode = Opcode::continuation}, payload);
          break;
        case 2:
          wire = wire + text("\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5");
          break;
        default:
          wire = wire + binary(payload);
      }
    }
    if (round % 3 == 0)
      wire[random() % wire.size()] ^= static_cast<std::uint8_t>(1 << random() % 8);
    Connection whole = server();
    const auto expected = receive(whole, wire);
    const Bytes answer = copy_of(whole.take_output());

    Connection cut = server();
    std::vector<Told> events;
    for (std::size_t i = 0; i < wire.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 200, wire.size() - i);
      Bytes piece(wire.begin() + static_cast<std::ptrdiff_t>(i),
                  wire.begin() + static_cast<std::ptrdiff_t>(i + size));
      for (Told& event : receive(cut, piece)) events.push_back(std::move(event));
      i += size;
    }
    ASSERT_EQ(events, expected) << round;
    ASSERT_EQ(copy_of(cut.take_output()), answer) << round;
  }
}

TEST(Connection, FailsWithTheCodeOfTheError) {
  struct Case {
    Bytes wire;
    Error error;
    CloseCode code;
  };
  const auto of = [](Opcode opcode, Bytes payload) { return frame({.opcode = opcode}, payload); };
  const std::vector<Case> cases{
      {{0x91, 0x80}, Error::reserved_bit, CloseCode::protocol_error},
      {{0xc2, 0x80}, Error::reserved_bit, CloseCode::protocol_error},
      {{0x83, 0x80}, Error::reserved_opcode, CloseCode::protocol_error},
      {{0x8b, 0x80}, Error::reserved_opcode, CloseCode::protocol_error},
      {{0x81, 0x00}, Error::unmasked_frame, CloseCode::protocol_error},
      {{0x09, 0x80}, Error::fragmented_control, CloseCode::protocol_error},
      {{0x89, 0xfe}, Error::control_too_long, CloseCode::protocol_error},
      {{0x82, 0xfe, 0, 125}, Error::length_not_minimal, CloseCode::protocol_error},
      {{0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0}, Error::length_too_large, CloseCode::protocol_error},
      {kLo, Error::unexpected_continuation, CloseCode::protocol_error},
      {kHel + text("x"), Error::unfinished_message, CloseCode::protocol_error},
      {of(Opcode::close, {0x03}), Error::truncated_close_code, CloseCode::protocol_error},
      {of(Opcode::close, close_payload(1005)), Error::invalid_close_code,
       CloseCode::protocol_error},
      {of(Opcode::close, close_payload(1000, "\xff")), Error::invalid_utf8,
       CloseCode::invalid_payload},
      {text("\xed\xa0\x80"), Error::invalid_utf8, CloseCode::invalid_payload},
      {text("\xe2\x82"), Error::invalid_utf8, CloseCode::invalid_payload},
      {{0x82, 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0, 1, 2, 3, 4},
       Error::frame_too_big,
       CloseCode::message_too_big},
  };
  for (const Case& c : cases) {
    for (const std::size_t piece : {SIZE_MAX, std::size_t{1}}) {
      Connection connection = server();
      Bytes output;
      // What comes behind the error is not even looked at.
      EXPECT_TRUE(fails_with(receive(connection, c.wire + kPing, piece, &output), c.error))
          << to_string(c.error);
      const Bytes payload = close_payload(static_cast<std::uint16_t>(c.code), to_string(c.error));
      EXPECT_EQ(output, frame({.opcode = Opcode::close}, payload, Role::server))
          << to_string(c.error);
      EXPECT_FALSE(connection.is_open());
      EXPECT_FALSE(connection.frame(Opcode::text, {}));
      EXPECT_FALSE(connection.next_timeout());
      EXPECT_TRUE(receive(connection, kPing).empty());
    }
  }
}

TEST(Connection, FailsAtTheFirstWrongByteOfAnUnfinishedFrame) {
  Bytes wire = text("\xce\xba\xf4\x90 and more, which never arrives");
  wire.resize(6 + 4);
  Connection connection = server();
  EXPECT_TRUE(fails_with(receive(connection, wire), Error::invalid_utf8));

  Connection fragments = server();
  const Bytes first = frame({.fin = false, .opcode = Opcode::text}, bytes_of("\xf4"));
  EXPECT_TRUE(receive(fragments, first).empty());
  EXPECT_TRUE(
      fails_with(receive(fragments, frame({.fin = false, .opcode = Opcode::continuation}, {0x90})),
                 Error::invalid_utf8));
}

TEST(Connection, KeepsItsLimitsAtNAndNPlusOne) {
  const Limits limits{.max_frame_size = 1000, .max_message_size = 1500, .max_fragments = 3};
  const auto fragments = [](const std::vector<std::size_t>& sizes) {
    Bytes wire;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      wire = wire + frame({.fin = i + 1 == sizes.size(),
                           .opcode = i == 0 ? Opcode::binary : Opcode::continuation},
                          Bytes(sizes[i], 7));
    }
    return wire;
  };
  const auto events = [&](const std::vector<std::size_t>& sizes) {
    Connection connection = server(limits);
    return receive(connection, fragments(sizes), 512);
  };
  EXPECT_EQ(events({1000}).front().payload.size(), 1000u);
  EXPECT_TRUE(fails_with(events({1001}), Error::frame_too_big));
  EXPECT_EQ(events({1000, 500}).front().payload.size(), 1500u);
  EXPECT_TRUE(fails_with(events({1000, 501}), Error::message_too_big));
  EXPECT_EQ(events({1, 1, 1}).front().payload.size(), 3u);
  EXPECT_TRUE(fails_with(events({1, 1, 1, 1}), Error::too_many_fragments));
  EXPECT_EQ(close_code(Error::too_many_fragments), CloseCode::policy_violation);
}

TEST(Connection, HoldsWhatHasArrivedAndNotWhatIsAnnounced) {
  Connection connection = server({.max_frame_size = 1 << 30, .max_message_size = 1 << 30});
  Bytes wire{0x82, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0, 1, 2, 3, 4};
  EXPECT_TRUE(receive(connection, wire + noise(1000)).empty());
  EXPECT_LE(connection.memory(), 9 * 1000u);
}

TEST(Connection, GivesBackTheMemoryOfALargeMessage) {
  Connection connection = server();
  EXPECT_EQ(receive(connection, binary(noise(500'000)), 10'000).size(), 1u);
  EXPECT_LE(connection.memory(), Limits{}.kept_buffer_size);
}

TEST(Connection, SpeaksAsClientWithAServer) {
  SeededRandom random;
  Connection client(kStart, {.role = Role::client, .masking_keys = &random});
  Connection peer = server();
  for (const std::size_t size : {0u, 1u, 125u, 126u, 70'000u}) {
    const Bytes payload = noise(size);
    const auto sent = client.frame(Opcode::binary, payload);
    ASSERT_TRUE(sent);
    EXPECT_EQ(receive(peer, copy_of(sent->header.view()) + copy_of(sent->payload)),
              std::vector{message("binary", payload)});
    const auto answer = peer.frame(Opcode::binary, payload);
    EXPECT_EQ(answer->payload.data(), payload.data());
    EXPECT_EQ(receive(client, copy_of(answer->header.view()) + copy_of(answer->payload), 1000),
              std::vector{message("binary", payload)});
  }
  client.close(kStart, CloseCode::normal, "done");
  Bytes reply;
  EXPECT_TRUE(receive(peer, copy_of(client.take_output()), SIZE_MAX, &reply)[0].by_peer);
  EXPECT_FALSE(receive(client, reply)[0].by_peer);
}

TEST(Connection, GathersAHeaderForPartsThatLieElsewhere) {
  Connection connection = server();
  EXPECT_EQ(copy_of(connection.frame_header(Opcode::binary, 300)->view()),
            (Bytes{0x82, 126, 0x01, 0x2c}));
}

}  // namespace
}  // namespace runnel::websocket
