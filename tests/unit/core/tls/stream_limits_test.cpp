// How plaintext becomes records, and what a stream does when one side does not read.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "core/tls/stream.h"
#include "tests/unit/core/tls/connection.h"

namespace runnel::tls {
namespace {

TEST(StreamWriting, JoinsViewsIntoOneRecord) {
  Connection connection;
  const std::array<ByteView, 4> views{bytes_of("header"), ByteView{}, bytes_of(" and "),
                                      bytes_of("payload")};
  EXPECT_EQ(connection.stream.write(views), 18u);
  // One record header (RFC 8446 §5.2), content, content type and tag.
  EXPECT_EQ(connection.stream.pending().size(), 5u + 18 + 1 + 16);
  EXPECT_EQ(connection.client_reads(), "header and payload");
  EXPECT_EQ(connection.stream.write({}), 0u);
}

TEST(StreamWriting, JoinsViewsAcrossRecords) {
  Connection connection;
  const std::string header = pattern(9), payload = pattern(40'000), tail = pattern(20'001);
  const std::array<ByteView, 3> views{bytes_of(header), bytes_of(payload), bytes_of(tail)};
  EXPECT_EQ(connection.stream.write(views), 60'010u);
  EXPECT_EQ(connection.client_reads(), header + payload + tail);
}

TEST(StreamLimits, TakesNoMoreThanItsLimits) {
  const StreamLimits limits{.incoming = 20'000, .outgoing = 30'000};
  Connection connection({}, limits);
  EXPECT_EQ(write_text(connection.stream, pattern(29'000)), 29'000u);
  EXPECT_LT(write_text(connection.stream, pattern(2'000)), 2'000u);
  EXPECT_EQ(write_text(connection.stream, pattern(2'000)), 0u);
  EXPECT_LE(connection.stream.pending().size(), limits.outgoing);

  connection.client.write(pattern(40'000));
  const std::string ciphertext = connection.client.take_output();
  EXPECT_EQ(connection.stream.receive(bytes_of(ciphertext)), 20'000u);
  EXPECT_EQ(connection.stream.receive(bytes_of(ciphertext)), 0u);
}

TEST(StreamLimits, DoesNotReadForAClientThatDoesNotRead) {
  const StreamLimits limits{.incoming = 20'000, .outgoing = 20'000};
  Connection connection({}, limits);
  std::array<std::uint8_t, 100> out;
  while (write_text(connection.stream, pattern(10'000)) != 0) {
  }
  connection.client.write("question");
  const std::string question = connection.client.take_output();
  EXPECT_EQ(connection.stream.receive(bytes_of(question)), question.size());
  EXPECT_EQ(connection.stream.read(out), 0u);
  EXPECT_GT(connection.client_reads().size(), 19'000u);
  EXPECT_EQ(connection.stream.read(out), 8u);
}

TEST(StreamLimits, AnswersNoFloodOfKeyUpdates) {
  const StreamLimits limits{.incoming = 20'000, .outgoing = 20'000};
  Connection connection({}, limits);
  std::array<std::uint8_t, 100> out;
  bool all_taken = true;
  for (int i = 0; i < 10'000 && all_taken; ++i) {
    SSL_key_update(connection.client.ssl(), SSL_KEY_UPDATE_REQUESTED);
    connection.client.write("x");
    const std::string update = connection.client.take_output();
    all_taken = connection.stream.receive(bytes_of(update)) == update.size();
    while (connection.stream.read(out) != 0) {
      write_text(connection.stream, "y");
    }
  }
  EXPECT_FALSE(all_taken);
  EXPECT_EQ(connection.stream.state(), StreamState::open);
  EXPECT_LE(connection.stream.pending().size(), limits.outgoing);
}

}  // namespace
}  // namespace runnel::tls
