// What is no message of the dialect is refused with a sentence, whoever sends it.
#include <ostream>

#include <gtest/gtest.h>

#include "core/voice/client_message.h"
#include "tests/unit/core/voice/voice_client.h"

namespace runnel::voice {
namespace {

struct Case {
  const char* name;
  std::string text;
  const char* expected;  // part of the error
};
void PrintTo(const Case& malformed, std::ostream* out) {
  *out << malformed.text;
}

std::string nested(std::size_t depth) {
  std::string text = R"({"event":"x","y":)";
  for (std::size_t i = 1; i < depth; ++i) text += '[';
  for (std::size_t i = 1; i < depth; ++i) text += ']';
  return text + '}';
}

std::string with_values(std::size_t count) {
  std::string text = R"({"event":"x")";
  for (std::size_t i = 1; i < count; ++i) text += ",\"" + std::to_string(i) + "\":1";
  return text + '}';
}

std::string mark(std::size_t size) {
  return R"({"event":"mark","mark":{"name":")" + std::string(size, 'm') + R"("}})";
}

class Malformed : public testing::TestWithParam<Case> {};

TEST_P(Malformed, IsRefused) {
  const auto message = parse_message(GetParam().text);
  ASSERT_FALSE(message.has_value());
  EXPECT_EQ(message.error().code, ErrorCode::bad_message);
  EXPECT_NE(message.error().text.find(GetParam().expected), std::string::npos)
      << message.error().text;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Malformed,
    testing::Values(
        Case{"Nothing", "", "no JSON"}, Case{"Prose", "hello", "no JSON"},
        Case{"HalfAnObject", R"({"event":)", "no JSON"},
        Case{"TwoObjects", R"({"event":"stop"}{})", "no JSON"},
        Case{"AnArray", R"(["event"])", "no JSON object"}, Case{"AText", R"("stop")", "no JSON"},
        Case{"BadUtf8", "{\"event\":\"\xff\"}", "no JSON"},
        Case{"ZeroByte", std::string("{\"event\":\"stop\"}\0{", 18), "a zero byte"},
        Case{"LoneSurrogate", R"({"event":"\ud800"})", "no JSON"},
        Case{"HugeNumber", R"({"event":"x","y":1e999})", "no JSON"},
        Case{"NoEvent", "{}", "event: is missing"},
        Case{"EventIsANumber", R"({"event":7})", "event: is missing, or no text"},
        Case{"EventTwice", R"({"event":"stop","event":"stop"})", "event: stands twice"},
        Case{"MediaWithout", R"({"event":"media"})", "media.payload: is missing"},
        Case{"MediaIsAText", R"({"event":"media","media":"AAAA"})", "media.payload: is missing"},
        Case{"PayloadIsAnObject", R"({"event":"media","media":{"payload":{}}})", "media.payload"},
        Case{"PayloadInAnArray", R"({"event":"media","media":[{"payload":"AAAA"}]})",
             "media.payload: is missing"},
        Case{"NoBase64", R"({"event":"media","media":{"payload":"A*"}})", "is no base64"},
        Case{"NegativeTimestamp",
             R"({"event":"media","media":{"payload":"AAAA","timestamp":"-5"}})",
             "media.timestamp: is no whole number"},
        Case{"FractionalTimestamp",
             R"({"event":"media","media":{"payload":"AAAA","timestamp":1.5}})",
             "media.timestamp: is no whole number"},
        Case{"DistantTimestamp",
             R"({"event":"media","media":{"payload":"AAAA","timestamp":"1099511627777"}})",
             "media.timestamp: is larger than 1099511627776"},
        Case{"TimestampOfManyDigits",
             R"({"event":"media","media":{"payload":"AAAA","timestamp":"99999999999999999999"}})",
             "media.timestamp: is no whole number"},
        Case{"MarkWithoutName", R"({"event":"mark","mark":{}})", "mark.name: is missing"},
        Case{"MarkOfALongName", mark(257), "mark.name: is longer than 256 bytes"},
        Case{"StartWithoutSid", R"({"event":"start","start":{}})", "start.streamSid: is missing"},
        Case{"StartWithoutFormat", R"({"event":"start","streamSid":"MZ1","start":{}})",
             "start.mediaFormat.encoding: is missing"},
        Case{"TooDeep", nested(9), "more than 8"},
        Case{"TooManyValues", with_values(1025), "more than 1024 values"}),
    [](const auto& test) { return test.param.name; });

TEST(MalformedLimits, AreMetExactly) {
  EXPECT_TRUE(parse_message(nested(8)).has_value());
  EXPECT_TRUE(parse_message(with_values(1024)).has_value());
  EXPECT_TRUE(parse_message(mark(256)).has_value());
}

TEST(MalformedLimits, AMillionBracketsCostNothing) {
  EXPECT_FALSE(parse_message(std::string(1'000'000, '[')).has_value());
  EXPECT_FALSE(parse_message(R"({"a":)" + std::string(1'000'000, '[')).has_value());
}

TEST(MalformedLimits, OfAMessageAreAMebibyte) {
  Output output;
  Session session(Role::agent, sample_options(), at(0));
  std::string text = R"({"event":"x"})";
  text.append(1024 * 1024 - text.size(), ' ');
  EXPECT_TRUE(session.receive(at(0), text, output).has_value());
  text += ' ';
  const auto outcome = session.receive(at(0), text, output);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(close_code(outcome.error().code), 1009);
}

TEST(ClientMessage, NumbersMayBeTextsOrNumbers) {
  for (const char* timestamp : {R"("5")", "5"}) {
    const auto message =
        parse_message(R"({"event":"media","media":{"payload":"AAAA","timestamp":)" +
                      std::string(timestamp) + "}}");
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(std::get<Media>(*message).timestamp_ms, 5u);
  }
}

}  // namespace
}  // namespace runnel::voice
