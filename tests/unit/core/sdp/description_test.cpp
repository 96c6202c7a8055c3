#include "core/sdp/description.h"

#include <string>

#include <gtest/gtest.h>

namespace runnel::sdp {
namespace {

const std::string kStart = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n";
constexpr std::size_t kLinesOfStart = 4;

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string error_of(std::string_view text, const Limits& limits = {}) {
  const auto parsed = parse(text, limits);
  return parsed ? "" : parsed.error().to_string();
}

// RFC 8866 §5, the example of the beginning.
TEST(Description, KeepsTheExampleOfRfc8866) {
  const std::string text =
      "v=0\r\n"
      "o=jdoe 3724394400 3724394405 IN IP4 198.51.100.1\r\n"
      "s=Call to John Smith\r\n"
      "i=SDP Offer #1\r\n"
      "u=http://www.jdoe.example.com/home.html\r\n"
      "e=Jane Doe <jane@jdoe.example.com>\r\n"
      "p=+1 617 555-6011\r\n"
      "c=IN IP4 198.51.100.1\r\n"
      "t=0 0\r\n"
      "m=audio 49170 RTP/AVP 0\r\n"
      "m=audio 49180 RTP/AVP 0\r\n"
      "m=video 51372 RTP/AVP 99\r\n"
      "c=IN IP6 2001:db8::2\r\n"
      "a=rtpmap:99 h263-1998/90000\r\n";
  const auto description = parse(text);
  ASSERT_TRUE(description);
  ASSERT_EQ(description->media.size(), 3u);
  EXPECT_EQ(description->media[2].port, 51372);
  EXPECT_EQ(description->media[2].value("rtpmap"), "99 h263-1998/90000");
  EXPECT_EQ(write(*description), text);
}

TEST(Description, KeepsWhatItDoesNotKnowInItsPlace) {
  const std::string text = kStart +
                           "x=what is this\r\na=colour:blue:red\r\na=flag\r\na=empty:\r\n"
                           "m=audio 9/2 RTP/AVP 0 8\r\nk=clear:1\r\na=flag\r\na=flag\r\n";
  const auto description = parse(text);
  ASSERT_TRUE(description);
  EXPECT_EQ(description->media[0].port_count, 2);
  EXPECT_EQ(description->session.value("colour"), "blue:red");
  EXPECT_EQ(description->session.value("empty"), "");
  EXPECT_EQ(description->media[0].all("flag").size(), 2u);
  EXPECT_EQ(write(*description), text);
}

TEST(Description, TakesLinesThatEndWithLineFeedAlone) {
  const auto description =
      parse("v=0\no=- 1 1 IN IP4 0.0.0.0\ns=-\nt=0 0\nm=audio 9 RTP/AVP 0\n\n");
  ASSERT_TRUE(description);
  EXPECT_EQ(write(*description),
            "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n");
}

TEST(Description, TakesALastLineWithoutEnd) {
  const auto description = parse(kStart + "m=audio 9 RTP/AVP 0\r\na=mid:7");
  ASSERT_TRUE(description);
  EXPECT_EQ(description->media[0].value("mid"), "7");
  EXPECT_EQ(description->media[0].find("mid")->number, 6u);
}

TEST(Description, SaysInWhichLineSomethingIsWrong) {
  EXPECT_EQ(error_of(kStart + "m=audio 9 RTP/AVP 0\r\nnonsense\r\n"),
            "line 6: A line must be \"LETTER=VALUE\", and is \"nonsense\".");
  EXPECT_EQ(
      error_of(kStart + "m=audio nine RTP/AVP 0\r\n"),
      "line 5: The m-line must be \"m=MEDIA PORT PROTOCOL FORMAT ...\", and is \"m=audio nine "
      "RTP/AVP 0\".");
  EXPECT_EQ(error_of(kStart + "m=audio 65536 RTP/AVP 0\r\n").substr(0, 7), "line 5:");
  EXPECT_EQ(error_of(kStart + "m=audio 9 RTP/AVP\r\n").substr(0, 7), "line 5:");
  EXPECT_EQ(error_of("v=0\r\n\r\ns=-\r\n"), "line 2: An empty line can only stand at the end.");
  EXPECT_EQ(error_of(kStart + std::string("a=x\0y\r\n", 7)),
            "line 5: A line cannot hold a zero byte or a carriage return.");
  EXPECT_EQ(error_of(kStart + "a=x\ry\r\n").substr(0, 7), "line 5:");
}

TEST(Description, WantsTheLinesThatEverySessionHas) {
  EXPECT_EQ(error_of(""), "line 1: The first line must be v=0.");
  EXPECT_EQ(error_of("v=1\r\n"), "line 1: The first line must be v=0.");
  EXPECT_EQ(error_of("v=0\r\ns=-\r\nt=0 0\r\n"), "There is no o= before the first m-line.");
  EXPECT_EQ(error_of("v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nm=audio 9 RTP/AVP 0\r\nt=0 0\r\n"),
            "There is no t= before the first m-line.");
}

TEST(Description, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(error_of(kStart + "a=\xff\r\n"), "The description is not UTF-8.");
  EXPECT_EQ(error_of(kStart + "i=Gr\xc3\xbc\xc3\x9f"
                              "e\r\n"),
            "");
}

TEST(Description, SizeHasALimit) {
  const std::string text = kStart + "a=x\r\n";
  EXPECT_EQ(error_of(text, {.size = text.size()}), "");
  EXPECT_NE(error_of(text, {.size = text.size() - 1}), "");
  EXPECT_EQ(error_of(std::string(1024 * 1024, 'a')),
            "The description has 1048576 bytes; at most 262144 are allowed.");
}

TEST(Description, LinesHaveALimit) {
  EXPECT_EQ(error_of(kStart + repeated("a=x\n", 10), {.lines = kLinesOfStart + 10}), "");
  EXPECT_EQ(error_of(kStart + repeated("a=x\n", 11), {.lines = kLinesOfStart + 10}),
            "At most 14 lines are allowed.");
}

TEST(Description, ALineHasALimit) {
  EXPECT_EQ(error_of(kStart + "a=" + std::string(98, 'x') + "\r\n", {.line_length = 100}), "");
  EXPECT_EQ(error_of(kStart + "a=" + std::string(99, 'x') + "\r\n", {.line_length = 100}),
            "line 5: At most 100 bytes in one line are allowed.");
}

TEST(Description, AttributesOfASectionHaveALimit) {
  const std::string section = "m=audio 9 RTP/AVP 0\r\n" + repeated("a=x\r\n", 8);
  EXPECT_EQ(error_of(kStart + repeated("a=x\r\n", 8) + section + section, {.attributes = 8}), "");
  EXPECT_EQ(error_of(kStart + section + "a=x\r\n", {.attributes = 8}),
            "line 14: At most 8 attributes in one section are allowed.");
}

TEST(Description, MediaSectionsHaveALimit) {
  const std::string section = "m=audio 9 RTP/AVP 0\r\n";
  EXPECT_EQ(error_of(kStart + repeated(section, 64)), "");
  EXPECT_EQ(error_of(kStart + repeated(section, 65)), "line 69: At most 64 m-lines are allowed.");
}

TEST(Description, FormatsHaveALimit) {
  EXPECT_EQ(error_of(kStart + "m=audio 9 RTP/AVP" + repeated(" 0", 256) + "\r\n"), "");
  EXPECT_EQ(error_of(kStart + "m=audio 9 RTP/AVP" + repeated(" 0", 257) + "\r\n"),
            "line 5: At most 256 formats in one m-line are allowed.");
}

TEST(Description, AFragmentNeedsNoSession) {
  const auto fragment = parse_fragment("a=ice-ufrag:EsAw\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\n");
  ASSERT_TRUE(fragment);
  EXPECT_EQ(fragment->session.value("ice-ufrag"), "EsAw");
  EXPECT_EQ(fragment->media[0].value("mid"), "0");
}

TEST(Description, QuotesOnlyWhatCanBePrinted) {
  EXPECT_EQ(quote("a\nb\x80"), "\"a?b?\"");
  EXPECT_EQ(quote(std::string(61, 'x')), "\"" + std::string(60, 'x') + "...\"");
}

}  // namespace
}  // namespace runnel::sdp
