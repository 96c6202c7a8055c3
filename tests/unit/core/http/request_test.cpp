#include "core/http/request.h"

#include <gtest/gtest.h>

#include "core/http/percent_encoding.h"

namespace runnel::http {
namespace {

Request with_query(std::string query) {
  Request request;
  request.query = std::move(query);
  return request;
}

TEST(Query, IsDecodedAsFormsWriteIt) {
  const Request request = with_query("name=cam%201&a+b=c+d%2B&name=other&flag&empty=&=x&k=v=w");
  EXPECT_EQ(request.query_parameter("name"), "cam 1");
  EXPECT_EQ(request.query_parameter("a b"), "c d+");
  EXPECT_EQ(request.query_parameter("flag"), "");
  EXPECT_EQ(request.query_parameter("empty"), "");
  EXPECT_EQ(request.query_parameter(""), "x");
  EXPECT_EQ(request.query_parameter("k"), "v=w");
  EXPECT_EQ(request.query_parameter("missing"), std::nullopt);
  EXPECT_EQ(with_query("").query_parameter(""), std::nullopt);
  EXPECT_EQ(with_query("&&a=1&").query_parameter("a"), "1");
}

TEST(PercentEncoding, DecodesOnceAndStrictly) {
  EXPECT_EQ(percent_decode("%2525%41%c3%A9"), "%25A\xC3\xA9");
  EXPECT_EQ(percent_decode("plain+"), "plain+");
  for (const char* bad : {"%", "%4", "a%4g", "%%41", "%-1"}) {
    EXPECT_EQ(percent_decode(bad), std::nullopt) << bad;
    EXPECT_FALSE(is_percent_encoded(bad)) << bad;
  }
  EXPECT_TRUE(is_percent_encoded("/a%20b%ff"));
}

TEST(PercentEncoding, RoundTripsEveryByte) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  EXPECT_EQ(percent_decode(percent_encode(every)), every);
  EXPECT_EQ(percent_encode("a/b ~"), "a%2Fb%20~");
}

}  // namespace
}  // namespace runnel::http
