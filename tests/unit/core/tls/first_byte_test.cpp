#include "core/tls/first_byte.h"

#include <gtest/gtest.h>

#include "tests/unit/core/tls/client.h"

namespace runnel::tls {
namespace {

TEST(FirstByte, TellsTlsFromHttp) {
  Client client;
  client.handshake();
  EXPECT_EQ(classify_first_byte(bytes_of(client.take_output())[0]), FirstByte::tls);
  for (const char* request : {"GET / HTTP/1.1", "POST /", "PRI * HTTP/2.0", "get /", "\r\nGET /"}) {
    EXPECT_EQ(classify_first_byte(bytes_of(request)[0]), FirstByte::text) << request;
  }
  // SSL 2.0, other records, control characters, punctuation, UTF-8.
  for (const std::uint8_t other : std::array<std::uint8_t, 7>{0x80, 21, 23, 8, '\n', '{', 0xC3}) {
    EXPECT_EQ(classify_first_byte(other), FirstByte::other) << int{other};
  }
}

TEST(FirstByte, TellsFramedPacketsByTheirLength) {
  // A STUN request of 100 bytes, and the longest packet of 1984.
  EXPECT_EQ(classify_first_byte(0), FirstByte::frame);
  EXPECT_EQ(classify_first_byte(7), FirstByte::frame);
}

}  // namespace
}  // namespace runnel::tls
