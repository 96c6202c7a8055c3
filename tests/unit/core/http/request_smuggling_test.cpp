// Each trick by which two servers can be made to see different requests in the same bytes is
// refused.
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/core/http/parsing.h"

namespace runnel::http {
namespace {

using namespace std::string_literals;

struct Trick {
  const char* name;
  std::string text;
  int status;
};

std::string with(const std::string& fields) {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n";
}

std::string chunked(const std::string& body) {
  return with("Transfer-Encoding: chunked") + body;
}

class Smuggling : public testing::TestWithParam<Trick> {};

TEST_P(Smuggling, IsRefusedHoweverItIsCut) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{100'000}}) {
    const Outcome outcome = parse_in_pieces(GetParam().text, piece);
    EXPECT_EQ(outcome.step, RequestParser::Step::failed);
    EXPECT_EQ(outcome.error.status, GetParam().status) << outcome.error.text;
    EXPECT_FALSE(outcome.error.text.empty());
  }
}

const Trick kTricks[] = {
    {"TwoLengths", with("Content-Length: 3\r\nContent-Length: 4") + "abcd", 400},
    {"TwoEqualLengths", with("Content-Length: 3\r\nContent-Length: 3") + "abc", 400},
    {"ListOfLengths", with("Content-Length: 3, 3") + "abc", 400},
    {"SignedLength", with("Content-Length: +3") + "abc", 400},
    {"NegativeLength", with("Content-Length: -1"), 400},
    {"HexadecimalLength", with("Content-Length: 0x3") + "abc", 400},
    {"EmptyLength", with("Content-Length: "), 400},
    {"LengthInTwoWords", with("Content-Length: 1 0"), 400},
    {"LengthThenChunked", with("Content-Length: 3\r\nTransfer-Encoding: chunked") + "0\r\n\r\n",
     400},
    {"ChunkedThenLength", with("Transfer-Encoding: chunked\r\nContent-Length: 3") + "0\r\n\r\n",
     400},
    {"TwoTransferEncodings",
     with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked") + "0\r\n\r\n", 400},
    {"IdentityEncoding", with("Transfer-Encoding: identity"), 501},
    {"ChunkedTwice", with("Transfer-Encoding: chunked, chunked"), 501},
    {"ChunkedBehindGzip", with("Transfer-Encoding: gzip, chunked"), 501},
    {"ChunkedBeforeIdentity", with("Transfer-Encoding: chunked, identity"), 501},
    {"AlmostChunked", with("Transfer-Encoding: xchunked"), 501},
    {"ChunkedWithParameter", with("Transfer-Encoding: chunked;q=1"), 501},
    {"QuotedChunked", with("Transfer-Encoding: \"chunked\""), 501},
    {"EmptyEncoding", with("Transfer-Encoding:"), 501},
    {"VerticalTabBeforeChunked", with("Transfer-Encoding: \vchunked"), 400},
    {"ChunkedInHttp10", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    {"SpaceBeforeColon", with("Content-Length : 3"), 400},
    {"TabBeforeColon", with("Transfer-Encoding\t: chunked"), 400},
    {"ObsoleteFold", with("Content-Length: 3\r\n , 4"), 400},
    {"ObsoleteFoldWithTab", with("X: a\r\n\tb"), 400},
    {"SpaceBeforeFirstField", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
    {"FoldOfWhiteSpaceAlone", with("X: a\r\n "), 400},
    {"BareLineFeedInHead", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
    {"BareLineFeedsEverywhere", "GET / HTTP/1.1\nHost: a\n\n", 400},
    {"BareLineFeedAsEnd", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400},
    {"BareCarriageReturn", with("X: a\rContent-Length: 3"), 400},
    {"CarriageReturnTwice", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", 400},
    {"NullInValue", with("X: a\0b"s), 400},
    {"NullInName", with("X\0: a"s), 400},
    {"NullInTarget", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s, 400},
    {"DeleteInValue", with("X: a\x7F"), 400},
    {"EscapeInValue", with("X: \x1B[2J"), 400},
    {"NoColon", with("Content-Length 3"), 400},
    {"EmptyName", with(": a"), 400},
    {"BracketInName", with("Content[Length]: 3"), 400},
    {"LetterBeyondAsciiInName", with("Content-L\xC3\xA9ngth: 3"), 400},
    {"NoHost", "GET / HTTP/1.1\r\nX: a\r\n\r\n", 400},
    {"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
    {"TwoHostsInHttp10", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"ListOfHosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
    {"HostWithPath", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
    {"HostWithUser", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400},
    {"NoMethod", " / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"NoTarget", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"TwoSpaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"TabAsSpace", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"SpaceInTarget", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"BinaryRubbish", "\x16\x03\x01\x02", 400},
    {"ChunkSizeWithSign", chunked("+5\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkSizeWithPrefix", chunked("0x5\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkSizeBehindSpace", chunked(" 5\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkSizeBeforeSpace", chunked("5 \r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkSizeTooLargeForAnyone", chunked("10000000000000005\r\nhello\r\n0\r\n\r\n"), 400},
    {"NoChunkSize", chunked("\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkLongerThanItSays", chunked("4\r\nhello\r\n0\r\n\r\n"), 400},
    {"ChunkShorterThanItSays", chunked("6\r\nhello\r\n0\r\n\r\n"), 400},
    {"BareLineFeedBehindChunkSize", chunked("5\nhello\r\n0\r\n\r\n"), 400},
    {"BareLineFeedBehindChunk", chunked("5\r\nhello\n0\r\n\r\n"), 400},
    {"BareLineFeedInExtension", chunked("5;a=\"\n\"\r\nhello\r\n0\r\n\r\n"), 400},
    {"BareCarriageReturnInExtension", chunked("5;a\rb\r\nhello\r\n0\r\n\r\n"), 400},
    {"BareLineFeedAtTheEnd", chunked("0\r\n\n"), 400},
    {"BareLineFeedInTrailer", chunked("0\r\nX: a\nY: b\r\n\r\n"), 400},
    {"LengthAsTrailer", chunked("0\r\nContent-Length: 3\r\n\r\n"), 400},
    {"NullInTrailer", chunked("0\r\nX: \0\r\n\r\n"s), 400},
};

INSTANTIATE_TEST_SUITE_P(Tricks, Smuggling, testing::ValuesIn(kTricks),
                         [](const auto& trick) { return std::string(trick.param.name); });

}  // namespace
}  // namespace runnel::http
