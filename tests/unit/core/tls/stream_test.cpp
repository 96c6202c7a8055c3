#include "core/tls/stream.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/core/tls/connection.h"

namespace runnel::tls {
namespace {

class StreamOfVersion : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static ClientOptions only() {
    return {.min_version = GetParam(), .max_version = GetParam()};
  }
};

INSTANTIATE_TEST_SUITE_P(Versions, StreamOfVersion, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) {
                           return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

TEST_P(StreamOfVersion, CarriesPlaintextBothWays) {
  Connection connection(only());
  ASSERT_EQ(connection.stream.state(), StreamState::open);
  EXPECT_EQ(connection.stream.protocol(), GetParam() == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3");
  connection.client.write("GET / HTTP/1.1\r\n");
  EXPECT_EQ(exchange(connection.client, connection.stream), "GET / HTTP/1.1\r\n");
  EXPECT_EQ(write_text(connection.stream, "HTTP/1.1 200 OK\r\n"), 17u);
  EXPECT_EQ(connection.client_reads(), "HTTP/1.1 200 OK\r\n");
}

TEST_P(StreamOfVersion, WorksByteByByte) {
  Stream stream(sample_context());
  Client client(only());
  exchange(client, stream, 1);
  ASSERT_EQ(stream.state(), StreamState::open);
  client.write("hello");
  EXPECT_EQ(exchange(client, stream, 1), "hello");
}

TEST_P(StreamOfVersion, ReadsWhatComesWithTheEndOfTheHandshake) {
  Stream stream(sample_context());
  Client client(only());
  std::string read;
  while (!client.handshake()) {
    read += deliver(stream, client.take_output());
    client.put_input(stream.pending());
    stream.consumed(stream.pending().size());
  }
  client.write("early");
  EXPECT_EQ(read + deliver(stream, client.take_output()), "early");
}

TEST_P(StreamOfVersion, ClosesBothWays) {
  Connection connection(only());
  connection.client.write("last words");
  connection.client.close();
  EXPECT_EQ(exchange(connection.client, connection.stream), "last words");
  EXPECT_EQ(connection.stream.state(), StreamState::closed_by_peer);
  EXPECT_EQ(write_text(connection.stream, "bye"), 3u);
  connection.stream.close();
  EXPECT_EQ(connection.stream.state(), StreamState::closed);
  EXPECT_EQ(write_text(connection.stream, "too late"), 0u);
  EXPECT_EQ(connection.client_reads(), "bye");
  EXPECT_TRUE(connection.client.has_close_notify());
  connection.stream.receive_end();
  EXPECT_EQ(connection.stream.state(), StreamState::closed);
}

TEST_P(StreamOfVersion, TellsATruncatedConnectionFromAClosedOne) {
  Connection connection(only());
  connection.client.write("half of a message");
  EXPECT_EQ(deliver(connection.stream, connection.client.take_output()), "half of a message");
  connection.stream.receive_end();
  EXPECT_EQ(connection.stream.state(), StreamState::failed);
  EXPECT_EQ(connection.stream.failure(), "the connection ended without close_notify");
}

TEST_P(StreamOfVersion, CarriesMuchThroughSmallBuffers) {
  const StreamLimits limits{.incoming = 20'000, .outgoing = 20'000};
  Connection connection(only(), limits);
  const std::string sent = pattern(3'000'000);
  std::string_view rest = sent;
  std::string received;
  while (!rest.empty()) {
    const std::size_t taken = write_text(connection.stream, rest);
    rest.remove_prefix(taken);
    EXPECT_LE(connection.stream.pending().size(), limits.outgoing);
    ASSERT_TRUE(taken != 0 || !connection.stream.pending().empty());
    const ByteView sent_now = connection.stream.pending().first(
        std::min<std::size_t>(7'777, connection.stream.pending().size()));
    connection.client.put_input(sent_now);
    connection.stream.consumed(sent_now.size());
    received += connection.client.read();
  }
  received += connection.client_reads();
  EXPECT_EQ(received, sent);

  connection.client.write(sent);
  EXPECT_EQ(deliver(connection.stream, connection.client.take_output()), sent);
}

TEST_P(StreamOfVersion, RefusesDamagedRecords) {
  Connection connection(only());
  connection.client.write("hello");
  std::string ciphertext = connection.client.take_output();
  ciphertext.back() ^= 1;
  EXPECT_EQ(deliver(connection.stream, ciphertext), "");
  EXPECT_EQ(connection.stream.state(), StreamState::failed);
  EXPECT_EQ(connection.stream.failure(), "decryption failed or bad record mac");
  EXPECT_FALSE(connection.stream.pending().empty());
  EXPECT_EQ(write_text(connection.stream, "x"), 0u);
  EXPECT_EQ(connection.stream.receive(bytes_of("more")), 4u);
}

TEST(Stream, NegotiatesHttp11OrNothing) {
  EXPECT_EQ(Connection({.protocols = {"http/1.1"}}).client.protocol(), "http/1.1");
  EXPECT_EQ(Connection({.protocols = {"h2", "http/1.1"}}).client.protocol(), "http/1.1");
  Connection without;
  EXPECT_EQ(without.stream.state(), StreamState::open);
  EXPECT_EQ(without.client.protocol(), "");

  Connection only_h2({.protocols = {"h2"}});
  EXPECT_EQ(only_h2.stream.state(), StreamState::failed);
  EXPECT_EQ(only_h2.client.failure(), "tlsv1 alert no application protocol");
}

TEST(Stream, RefusesOldVersions) {
  Connection connection({.min_version = TLS1_VERSION, .max_version = TLS1_1_VERSION});
  EXPECT_EQ(connection.stream.state(), StreamState::failed);
  EXPECT_EQ(connection.stream.failure(), "unsupported protocol");
  EXPECT_EQ(connection.client.failure(), "tlsv1 alert protocol version");
}

TEST(Stream, RefusesSuitesWithoutForwardSecrecyOrAead) {
  for (const char* ciphers : {"AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "AES256-SHA"}) {
    Connection connection({.max_version = TLS1_2_VERSION, .ciphers = ciphers});
    EXPECT_EQ(connection.stream.failure(), "no shared cipher") << ciphers;
  }
}

TEST(Stream, RefusesRenegotiation) {
  Connection connection({.max_version = TLS1_2_VERSION});
  SSL_renegotiate(connection.client.ssl());
  connection.client.handshake();
  exchange(connection.client, connection.stream);
  EXPECT_EQ(connection.client.failure(), "no renegotiation");
}

TEST(Stream, NamesPlainHttp) {
  Stream stream(sample_context());
  EXPECT_EQ(deliver(stream, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "");
  EXPECT_EQ(stream.state(), StreamState::failed);
  EXPECT_EQ(stream.failure(), "http request");
}

TEST(Stream, RefusesGarbage) {
  for (const std::string_view garbage :
       {std::string_view("\0\0\0\0\0\0\0\0", 8),
        std::string_view("\x16\x03\x01\xFF\xFF\xFF\xFF", 7),
        std::string_view("\x16\x03\x01\x00\x04\x01\x00\x00\x00", 9),
        std::string_view("\x17\x03\x03\x00\x01\x00", 6)}) {
    Stream stream(sample_context());
    EXPECT_EQ(deliver(stream, garbage), "");
    EXPECT_EQ(stream.state(), StreamState::failed);
    EXPECT_NE(stream.failure(), "");
    EXPECT_EQ(stream.protocol(), "");
  }
}

TEST(Stream, FailsWhenTheHandshakeIsCut) {
  Client client;
  client.handshake();
  const std::string hello = client.take_output();
  Stream stream(sample_context());
  EXPECT_EQ(deliver(stream, hello.substr(0, hello.size() - 1)), "");
  stream.receive_end();
  EXPECT_EQ(stream.failure(), "the connection ended during the handshake");
  EXPECT_EQ(to_string(stream.state()), "failed");
}

TEST(Stream, MayBeClosedDuringTheHandshake) {
  Stream stream(sample_context());
  stream.close();
  EXPECT_EQ(stream.state(), StreamState::closed);
  EXPECT_EQ(stream.receive(bytes_of("anything")), 8u);
  EXPECT_EQ(write_text(stream, "x"), 0u);
}

TEST(Stream, ReadsWhatCameBeforeTheEnd) {
  Connection connection;
  connection.client.write("last");
  const std::string ciphertext = connection.client.take_output();
  ASSERT_EQ(connection.stream.receive(bytes_of(ciphertext)), ciphertext.size());
  connection.stream.receive_end();
  EXPECT_EQ(connection.stream.state(), StreamState::open);
  std::array<std::uint8_t, 2> out;
  EXPECT_EQ(connection.stream.read(out), 2u);
  EXPECT_EQ(connection.stream.read(out), 2u);
  EXPECT_EQ(connection.stream.read(out), 0u);
  EXPECT_EQ(connection.stream.state(), StreamState::failed);
}

TEST(Stream, RenewsKeysWhenItIsAskedTo) {
  Connection connection;
  for (int i = 0; i < 3; ++i) {
    SSL_key_update(connection.client.ssl(), SSL_KEY_UPDATE_REQUESTED);
    connection.client.write("question");
    EXPECT_EQ(exchange(connection.client, connection.stream), "question");
    write_text(connection.stream, "answer");
    EXPECT_EQ(connection.client_reads(), "answer");
  }
}

TEST_P(StreamOfVersion, ResumesSessionsByTicket) {
  Connection first(only());
  (void)first.client.read();
  SSL_SESSION* session = SSL_get1_session(first.client.ssl());
  Stream stream(sample_context());
  Client again(only());
  SSL_set_session(again.ssl(), session);
  SSL_SESSION_free(session);
  exchange(again, stream);
  EXPECT_EQ(stream.state(), StreamState::open);
  EXPECT_EQ(SSL_session_reused(again.ssl()), 1);
}

TEST(Stream, MayBeMoved) {
  Connection connection;
  connection.client.write("hello");
  Stream moved = std::move(connection.stream);
  EXPECT_EQ(deliver(moved, connection.client.take_output()), "hello");
}

}  // namespace
}  // namespace runnel::tls
