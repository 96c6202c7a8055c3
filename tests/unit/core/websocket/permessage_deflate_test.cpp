#include "core/websocket/permessage_deflate.h"

#include <zlib.h>

#include <gtest/gtest.h>

#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using namespace test;

constexpr std::size_t kPlenty = std::size_t{1} << 24;

Bytes repetitive(std::size_t size, unsigned seed) {
  Bytes bytes = noise(size, seed);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>('a' + bytes[i] % 7);
  return bytes;
}

Connection server(const DeflateParameters& parameters, const Limits& limits = {}) {
  return {kStart, {.limits = limits, .deflate = parameters, .min_compressed_size = 0}};
}

/// A compressed text message whose payload arrives cut anywhere.
std::vector<Told> received(Connection& connection, const Bytes& compressed,
                           std::size_t piece = SIZE_MAX) {
  return receive(connection, frame({.rsv1 = true, .opcode = Opcode::text}, compressed), piece);
}

TEST(PermessageDeflate, ReadsTheExamplesOfRfc7692Section723) {
  const Bytes hello = bytes_of("Hello");
  const Bytes compressed{0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00};
  for (std::size_t piece = 1; piece < 20; ++piece) {
    Connection connection = server({});
    EXPECT_EQ(received(connection, compressed, piece)[0].payload, hello);  // §7.2.3.1
    EXPECT_EQ(received(connection, {0xf2, 0x00, 0x11, 0x00, 0x00}, piece)[0].payload,
              hello);  // §7.2.3.2
    EXPECT_EQ(received(connection,
                       {0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00}, piece)[0]
                  .payload,
              hello);  // §7.2.3.3
    EXPECT_EQ(
        received(connection, {0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00}, piece)[0].payload,
        hello);  // §7.2.3.4
    EXPECT_EQ(
        received(connection,
                 {0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00},
                 piece)[0]
            .payload,
        hello);                                                           // §7.2.3.5
    EXPECT_TRUE(received(connection, {0x00}, piece)[0].payload.empty());  // §7.2.3.6
  }
}

TEST(PermessageDeflate, WritesTheExampleOfRfc7692Section7231) {
  Deflater deflater(15, true, {});
  ByteBuffer out;
  ASSERT_TRUE(deflater.compress(bytes_of("Hello"), out));
  EXPECT_EQ(copy_of(out.view()), (Bytes{0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00}));
  out.clear(0);
  ASSERT_TRUE(deflater.compress(bytes_of("Hello"), out));
  EXPECT_EQ(copy_of(out.view()), (Bytes{0xf2, 0x00, 0x11, 0x00, 0x00}));
  out.clear(0);
  ASSERT_TRUE(deflater.compress({}, out));
  EXPECT_EQ(copy_of(out.view()), (Bytes{0x00}));
}

TEST(PermessageDeflate, KeepsTheWindowBehindAFinalBlock) {
  Connection connection = server({});
  received(connection, {0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00});
  EXPECT_EQ(received(connection, {0xf2, 0x00, 0x11, 0x00, 0x00})[0].payload, bytes_of("Hello"));
}

TEST(PermessageDeflate, CarriesMessagesBothWaysWithAllParameters) {
  SeededRandom random;
  for (std::uint8_t server_bits = 8; server_bits <= 15; ++server_bits) {
    for (const auto client_bits : {std::uint8_t{8}, std::uint8_t{12}, std::uint8_t{15}}) {
      for (const unsigned takeover : {(0U + server_bits) % 4, (3U + client_bits) % 4}) {
        const DeflateParameters parameters{.server_no_context_takeover = (takeover & 1) != 0,
                                           .client_no_context_takeover = (takeover & 2) != 0,
                                           .server_max_window_bits = server_bits,
                                           .client_max_window_bits = client_bits};
        Connection peer = server(parameters);
        Connection client(kStart, {.role = Role::client,
                                   .deflate = parameters,
                                   .min_compressed_size = 0,
                                   .masking_keys = &random});
        for (const std::size_t size : {0u, 1u, 300u, 5000u, 70'000u, 300u}) {
          const Bytes payload = repetitive(size, server_bits + takeover);
          const auto sent = client.frame(Opcode::binary, payload);
          EXPECT_LE(sent->payload.size(), size + 6);
          auto events = receive(peer, copy_of(sent->header.view()) + copy_of(sent->payload), 997);
          ASSERT_EQ(events.size(), 1u);
          ASSERT_EQ(events[0].payload, payload);
          const auto answer = peer.frame(Opcode::binary, payload);
          events = receive(client, copy_of(answer->header.view()) + copy_of(answer->payload));
          ASSERT_EQ(events[0].payload, payload);
        }
      }
    }
  }
}

TEST(PermessageDeflate, NeverLooksBackFurtherThanTheWindowThatWasAgreed) {
  for (std::uint8_t bits = 8; bits <= 15; ++bits) {
    Deflater deflater(bits, true, {});
    Inflater strict(bits, true);  // with a window of just that size
    for (unsigned i = 0; i < 20; ++i) {
      const Bytes message = repetitive(3000, i / 2);
      ByteBuffer compressed;
      ByteBuffer out;
      ASSERT_TRUE(deflater.compress(message, compressed));
      ASSERT_TRUE(strict.decompress(compressed.view(), out, kPlenty));
      ASSERT_TRUE(strict.finish(out, kPlenty));
      ASSERT_EQ(copy_of(out.view()), message);
    }
  }
}

TEST(PermessageDeflate, StartsAfreshWithoutContextTakeover) {
  Connection connection = server({.client_no_context_takeover = true});
  received(connection, {0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00});
  // The second example of §7.2.3.2 refers to the first message, which is forgotten.
  EXPECT_TRUE(
      fails_with(received(connection, {0xf2, 0x00, 0x11, 0x00, 0x00}), Error::invalid_compression));
}

TEST(PermessageDeflate, TakesCompressedAndOtherMessagesInTurn) {
  Connection connection = server({});
  EXPECT_EQ(receive(connection, text("plain"))[0].payload, bytes_of("plain"));
  const Bytes first =
      frame({.fin = false, .rsv1 = true, .opcode = Opcode::text}, {0xf2, 0x48, 0xcd});
  const Bytes last = frame({.opcode = Opcode::continuation}, {0xc9, 0xc9, 0x07, 0x00});
  EXPECT_EQ(receive(connection, first + last)[0].payload, bytes_of("Hello"));
  EXPECT_EQ(receive(connection, text("plain"))[0].payload, bytes_of("plain"));
}

TEST(PermessageDeflate, IsPatientWithPeersThatEndAMessageAsZlibDoes) {
  Connection connection = server({});
  EXPECT_TRUE(received(connection, {})[0].payload.empty());
  EXPECT_EQ(received(connection, {0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00})[0].payload,
            bytes_of("Hello"));
  EXPECT_EQ(received(connection, {0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00})[0].payload,
            bytes_of("Hello"));
}

TEST(PermessageDeflate, RefusesBrokenAndTruncatedData) {
  for (const Bytes& broken : {Bytes{0xff, 0xff, 0xff}, Bytes{0x06}, Bytes{0xf2, 0x48, 0xcd},
                              Bytes{0x00, 0x05, 0x00, 0x00, 0x00, 0x48}}) {
    Connection connection = server({});
    EXPECT_TRUE(fails_with(received(connection, broken), Error::invalid_compression));
  }
}

TEST(PermessageDeflate, ChecksTextAfterDecompressionAndAtOnce) {
  Deflater deflater(15, true, {});
  ByteBuffer compressed;
  ASSERT_TRUE(deflater.compress(bytes_of("ok \xff never finished"), compressed));
  const Bytes part =
      frame({.fin = false, .rsv1 = true, .opcode = Opcode::text}, copy_of(compressed.view()));
  Connection connection = server({});
  EXPECT_TRUE(fails_with(receive(connection, part), Error::invalid_utf8));
}

TEST(PermessageDeflate, TellsTheSameErrorHoweverItsBytesAreCut) {
  // Text that is no UTF-8, and behind it data that is no compression.
  Deflater deflater(15, true, {});
  ByteBuffer compressed;
  ASSERT_TRUE(deflater.compress(bytes_of("\xff"), compressed));
  const Bytes data = copy_of(compressed.view()) + Bytes{0xff, 0xff, 0xff};
  for (std::size_t piece = 1; piece <= data.size() + 6; ++piece) {
    Connection connection = server({});
    EXPECT_TRUE(fails_with(received(connection, data, piece), Error::invalid_utf8)) << piece;
  }
}

TEST(PermessageDeflate, StopsABombAtTheLimit) {
  const Limits limits{.max_message_size = 100'000};
  for (const std::size_t size :
       {std::size_t{100'000}, std::size_t{100'001}, std::size_t{50} << 20}) {
    Deflater deflater(15, true, {});
    ByteBuffer compressed;
    ASSERT_TRUE(deflater.compress(Bytes(size, 'x'), compressed));
    Connection connection = server({}, limits);
    const auto events = received(connection, copy_of(compressed.view()));
    if (size == 100'000) {
      EXPECT_EQ(events[0].payload.size(), size);
    } else {
      EXPECT_TRUE(fails_with(events, Error::message_too_big));
    }
    EXPECT_LE(connection.memory(), 4 * limits.max_message_size);
  }
}

TEST(PermessageDeflate, CanBeReadOnAfterAMessageThatWasNotSent) {
  SeededRandom random;
  Connection peer = server({});
  Connection client(
      kStart, {.role = Role::client, .deflate = DeflateParameters{}, .masking_keys = &random});
  const auto send = [&](const Bytes& payload) {
    const auto sent = peer.frame(Opcode::binary, payload);
    return receive(client, copy_of(sent->header.view()) + copy_of(sent->payload));
  };
  ASSERT_EQ(send(repetitive(1000, 1))[0].payload, repetitive(1000, 1));
  static_cast<void>(peer.frame(Opcode::binary, repetitive(1000, 2)));
  peer.not_sent();
  for (const unsigned seed : {2U, 1U, 2U}) {
    ASSERT_EQ(send(repetitive(1000, seed))[0].payload, repetitive(1000, seed));
  }
}

TEST(PermessageDeflate, TellsItsMemoryAndTakesNoneBeforeItIsUsed) {
  Connection connection = server({});
  EXPECT_EQ(connection.memory(), 0u);
  const auto sent = connection.frame(Opcode::binary, noise(100));
  ASSERT_TRUE(sent);
  EXPECT_GT(connection.memory(), 200'000u);  // zlib.h: (1 << 17) + (1 << 17) and a little

  Connection small(kStart, {.deflate = DeflateParameters{.server_max_window_bits = 9},
                            .deflate_effort = {.memory_level = 1},
                            .min_compressed_size = 0});
  static_cast<void>(small.frame(Opcode::binary, noise(100)));
  EXPECT_LT(small.memory(), 20'000u);
}

TEST(PermessageDeflate, LeavesShortMessagesAndThoseThatSaySoAlone) {
  Connection connection(kStart, {.deflate = DeflateParameters{}, .min_compressed_size = 64});
  const Bytes payload(64, 'x');
  EXPECT_EQ(connection.frame(Opcode::text, ByteView(payload).first(63))->payload.size(), 63u);
  EXPECT_EQ(connection.frame(Opcode::text, payload, Compression::never)->payload.size(), 64u);
  EXPECT_LT(connection.frame(Opcode::text, payload)->payload.size(), 64u);
}

}  // namespace
}  // namespace runnel::websocket
