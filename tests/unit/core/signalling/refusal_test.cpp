// What is refused, with which code, and whether the sentence helps: it names the field by its path.
#include <ostream>

#include <gtest/gtest.h>

#include "core/signalling/codec.h"
#include "core/signalling/json_document.h"

namespace runnel::signalling {
namespace {

struct Case {
  const char* name;
  std::string text;
  ErrorCode code;
  std::string expected;  // part of the error
};
void PrintTo(const Case& refused, std::ostream* out) {
  *out << refused.text;
}

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithASentence) {
  const auto incoming = decode(GetParam().text);
  ASSERT_FALSE(incoming.has_value());
  EXPECT_EQ(to_string(incoming.error().error.code), to_string(GetParam().code));
  EXPECT_NE(incoming.error().error.text.find(GetParam().expected), std::string::npos)
      << incoming.error().error.text;
}

constexpr auto kName = [](const auto& test) { return std::string(test.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Json, Refused,
    testing::Values(
        Case{"Nothing", "", ErrorCode::bad_json, "unexpected end of input, at line 1, column 1"},
        Case{"Prose", "hello", ErrorCode::bad_json, "invalid literal, at line 1, column 1"},
        Case{"Cut", "{\"id\":1,\n\"do\":", ErrorCode::bad_json,
             "unexpected end of input, at line 2, column 6"},
        Case{"Comma", R"({"id":1,})", ErrorCode::bad_json, "object key"},
        Case{"SingleQuotes", "{'id':1}", ErrorCode::bad_json, "invalid literal"},
        Case{"Comment", R"({"id":1}//x)", ErrorCode::bad_json, "invalid literal"},
        Case{"Behind", R"({"id":1} {})", ErrorCode::bad_json, "unexpected '{'"},
        Case{"LeadingZero", R"({"id":01})", ErrorCode::bad_json, "unexpected number literal"},
        Case{"PlusSign", R"({"id":+1})", ErrorCode::bad_json, "invalid literal"},
        Case{"Infinity", R"({"id":1e999})", ErrorCode::bad_json, "a number is too large"},
        Case{"NotANumber", R"({"id":NaN})", ErrorCode::bad_json, "invalid literal"},
        Case{"ControlCharacter", "{\"id\":\"\n\"}", ErrorCode::bad_json, "control character"},
        Case{"Escape", R"({"id":"\x"})", ErrorCode::bad_json,
             "forbidden character after backslash"},
        Case{"LoneSurrogate", R"({"id":"\udc00"})", ErrorCode::bad_json, "surrogate"},
        Case{"BadUtf8", "{\"id\":\"\xc3\x28\"}", ErrorCode::bad_json, "ill-formed UTF-8"},
        Case{"OverlongUtf8", "{\"id\":\"\xc0\xaf\"}", ErrorCode::bad_json, "ill-formed UTF-8"},
        Case{"ZeroByte", std::string("{\"id\":1}\0", 9), ErrorCode::bad_json,
             "a zero byte, at line 1, column 9"},
        Case{"Array", "[1]", ErrorCode::bad_json, "the text is no JSON object"},
        Case{"Text", "\"hello\"", ErrorCode::bad_json, "the text is no JSON object"},
        Case{"Twice", R"({"id":1,"do":"bye","id":1})", ErrorCode::bad_json, "stands twice"},
        Case{"TwiceInside", R"({"id":1,"do":"bye","x":[{"a":1,"a":2}]})", ErrorCode::bad_json,
             "stands twice"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    Envelope, Refused,
    testing::Values(Case{"NoId", R"({"do":"bye"})", ErrorCode::bad_request, "id: is missing"},
                    Case{"IdIsAText", R"({"id":"7","do":"bye"})", ErrorCode::bad_request,
                         "id: is a text; write a whole number"},
                    Case{"IdIsNegative", R"({"id":-1,"do":"bye"})", ErrorCode::bad_request,
                         "id: -1 is not allowed"},
                    Case{"IdIsAFraction", R"({"id":1.5,"do":"bye"})", ErrorCode::bad_request,
                         "id: 1.5 is not allowed"},
                    Case{"IdIsTooLarge", R"({"id":9007199254740992,"do":"bye"})",
                         ErrorCode::bad_request, "id: 9007199254740992 is out of range"},
                    Case{"IdIsNull", R"({"id":null,"do":"bye"})", ErrorCode::bad_request,
                         "leave the field out"},
                    Case{"NoVerb", R"({"id":1})", ErrorCode::bad_request, "do: is missing"},
                    Case{"VerbIsANumber", R"({"id":1,"do":2})", ErrorCode::bad_request,
                         "do: is a number"},
                    Case{"OtherVerb", R"({"id":1,"do":"shout"})", ErrorCode::unknown_verb,
                         "do: \"shout\" is not known here; known are hello, publish"}),
    kName);

std::string publish(const std::string& tracks, const std::string& leg = R"({"websocket":{}})",
                    const std::string& stream = "s") {
  return R"({"id":1,"do":"publish","stream":")" + stream + R"(","tracks":)" + tracks +
         R"(,"leg":)" + leg + "}";
}

std::string with_key(const std::string& key) {
  return publish(R"([{"codec":"VP8/90000"}])",
                 R"({"srtp":{"suites":["AES_CM_128_HMAC_SHA1_80"],"key":")" + key + R"("}})");
}

INSTANTIATE_TEST_SUITE_P(
    Publish, Refused,
    testing::Values(
        Case{"NoStream", R"({"id":1,"do":"publish","tracks":[],"leg":{"rtp":{}}})",
             ErrorCode::bad_request, "stream: is missing"},
        Case{"BadStream", publish("[]", "{}", "a/b"), ErrorCode::bad_request,
             "stream: \"a/b\" is no name"},
        Case{"DotStream", publish("[]", "{}", ".a"), ErrorCode::bad_request, "is no name"},
        Case{"LongStream", publish("[]", "{}", std::string(65, 'a')), ErrorCode::bad_request,
             "stream: is a text of 65 bytes; write 1 to 64"},
        Case{"NoTracks", publish("[]"), ErrorCode::bad_request, "tracks: has 0 items"},
        Case{"TracksIsAnObject", publish("{}"), ErrorCode::bad_request, "tracks: is an object"},
        Case{"TrackIsAText", publish(R"(["video"])"), ErrorCode::bad_request,
             "tracks[0]: is a text; write an object"},
        Case{"NoCodec", publish(R"([{"payload_type":96}])"), ErrorCode::bad_request,
             "tracks[0].codec: is missing"},
        Case{"BadCodec", publish(R"([{"codec":"opus/48000/2"},{"codec":"VP8"}])"),
             ErrorCode::bad_request, "tracks[1].codec: \"VP8\" is no codec; write NAME/CLOCK-RATE"},
        Case{"UnknownKind", publish(R"([{"codec":"EVS/16000"}])"), ErrorCode::bad_request,
             "tracks[0].kind: is missing"},
        Case{"WrongKind", publish(R"([{"codec":"VP8/90000","kind":"audio"}])"),
             ErrorCode::bad_request, "tracks[0]: VP8 is video, and not audio"},
        Case{"OtherStaticCodec", publish(R"([{"codec":"VP8/90000","payload_type":0}])"),
             ErrorCode::bad_request, "tracks[0]: payload type 0 means PCMU/8000"},
        Case{"RtcpPayloadType", publish(R"([{"codec":"VP8/90000","payload_type":64}])"),
             ErrorCode::bad_request, "tracks[0].payload_type: payload types 64 to 95"},
        Case{"LargePayloadType", publish(R"([{"codec":"VP8/90000","payload_type":128}])"),
             ErrorCode::bad_request, "tracks[0].payload_type: 128 is out of range; write 0 to 127"},
        Case{"LargeSsrc", publish(R"([{"codec":"VP8/90000","ssrc":4294967296}])"),
             ErrorCode::bad_request, "tracks[0].ssrc: 4294967296 is out of range"},
        Case{"LineBreakInParameters", publish(R"([{"codec":"VP8/90000","fmtp":"a\r\nb"}])"),
             ErrorCode::bad_request, "tracks[0].fmtp: has characters"},
        Case{"SameNames", publish(R"([{"codec":"VP8/90000"},{"codec":"VP9/90000"}])"),
             ErrorCode::bad_request, "tracks[1]: another track is called \"video\" too"},
        Case{"FromOnAWebSocket", publish(R"([{"codec":"VP8/90000","from":"192.0.2.1:1"}])"),
             ErrorCode::bad_request, "tracks[0]: 'from' is of srtp and rtp legs"},
        Case{"NoLeg", R"({"id":1,"do":"publish","stream":"s","tracks":[{"payload_type":0}]})",
             ErrorCode::bad_request, "leg: is missing"},
        Case{"EmptyLeg", publish("[]", "{}"), ErrorCode::bad_request,
             R"(leg: is empty; write one member, "webrtc", "srtp", "rtp" or "websocket")"},
        Case{"TwoLegs", publish("[]", R"({"rtp":{},"websocket":{}})"), ErrorCode::bad_request,
             "leg: names several kinds"},
        Case{"OtherLeg", publish("[]", R"({"quic":{}})"), ErrorCode::unsupported_leg,
             "leg: \"quic\" is not known"},
        Case{"BadFormat", publish("[]", R"({"websocket":{"format":"json"}})"),
             ErrorCode::bad_request, "leg.websocket.format: \"json\" is no format"},
        Case{"NoSuites", publish("[]", R"({"srtp":{}})"), ErrorCode::bad_request,
             "leg.srtp.suites: is missing"},
        Case{"UnknownSuites", publish("[]", R"({"srtp":{"suites":["F8_128"]}})"),
             ErrorCode::unsupported_suite, "known are AES_CM_128_HMAC_SHA1_80"},
        Case{"ShortKey", with_key("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0="), ErrorCode::bad_key,
             "leg.srtp.key: is 29 bytes; AES_CM_128_HMAC_SHA1_80 takes 30"},
        Case{"NoBase64", with_key("0102030405-6"), ErrorCode::bad_key,
             "leg.srtp.key: is no base64"},
        Case{"KeyForTwoSuites",
             publish("[]", R"({"srtp":{"suites":["AEAD_AES_128_GCM","AES_CM_128_HMAC_SHA1_80"],
               "key":"AQID"}})"),
             ErrorCode::bad_key, "a key belongs to one"}),
    kName);

std::string by_webrtc(const std::string& track) {
  return publish("[" + track + "]", R"({"webrtc":{"offer":"v=0"}})");
}

INSTANTIATE_TEST_SUITE_P(
    PublishByWebRtc, Refused,
    testing::Values(
        Case{"NoOffer", publish("[{}]", R"({"webrtc":{}})"), ErrorCode::bad_request,
             "leg.webrtc.offer: is missing"},
        Case{"OnAPeer", publish("[{}]", R"({"webrtc":{"offer":"v=0","peer":1}})"),
             ErrorCode::bad_request, "leg.webrtc: 'offer' makes a peer connection of its own"},
        Case{"EmptyOffer", publish("[{}]", R"({"webrtc":{"offer":""}})"), ErrorCode::bad_request,
             "leg.webrtc.offer: is a text of 0 bytes; write 1 to 262144"},
        Case{"NoTracks", publish("[]", R"({"webrtc":{"offer":"v=0"}})"), ErrorCode::bad_request,
             "tracks: has 0 items"},
        Case{"PayloadType", by_webrtc(R"({"payload_type":96})"), ErrorCode::bad_request,
             R"(tracks[0]: "payload_type" is said by the SDP)"},
        Case{"LongMid", by_webrtc(R"({"mid":"12345678901234567"})"), ErrorCode::bad_request,
             "tracks[0].mid: is a text of 17 bytes; write 1 to 16"},
        Case{"MidWithASpace", by_webrtc(R"({"mid":"a b"})"), ErrorCode::bad_request,
             R"(tracks[0].mid: "a b" is no token)"},
        Case{"SameNames", by_webrtc(R"({"kind":"video"},{"kind":"video"})"), ErrorCode::bad_request,
             R"(tracks[1]: another track is called "video" too)"}),
    kName);

std::string subscribe(const std::string& leg, const std::string& rest = "") {
  return R"({"id":1,"do":"subscribe","stream":"s","leg":)" + leg + rest + "}";
}
const std::string kSrtp = R"({"srtp":{"suites":["AES_CM_128_HMAC_SHA1_80"])";

INSTANTIATE_TEST_SUITE_P(
    Subscribe, Refused,
    testing::Values(
        Case{"NoAddress", subscribe(R"({"rtp":{}})"), ErrorCode::bad_request,
             "the leg has no address"},
        Case{"TrackWithoutAddress",
             subscribe(R"({"rtp":{}})",
                       R"(,"tracks":[{"name":"a","to":"192.0.2.1:5"},{"name":"b"}])"),
             ErrorCode::bad_request, "tracks[1]: has no address"},
        Case{"HostName", subscribe(R"({"rtp":{"to":"example.org:5000"}})"), ErrorCode::bad_request,
             "leg.rtp.to: \"example.org:5000\" is no address to send to"},
        Case{"PortZero", subscribe(R"({"rtp":{"to":"192.0.2.1:0"}})"), ErrorCode::bad_request,
             "is no address to send to"},
        Case{"Anywhere", subscribe(R"({"rtp":{"to":"0.0.0.0:5000"}})"), ErrorCode::bad_request,
             "is no address to send to"},
        Case{"LatchInClear", subscribe(R"({"rtp":{"latch":true}})"), ErrorCode::bad_request,
             "leg.rtp: nothing on an rtp leg is authenticated"},
        Case{"LatchAndAddress", subscribe(kSrtp + R"(,"latch":true,"to":"192.0.2.1:5"}})"),
             ErrorCode::bad_request, "leg.srtp: 'latch' stands beside 'to'"},
        Case{"LatchAndTrackAddress",
             subscribe(kSrtp + R"(,"latch":true}})",
                       R"(,"tracks":[{"name":"a","to":"192.0.2.1:5"}])"),
             ErrorCode::bad_request, "tracks[0]: 'to' and 'rtcp_to' stand beside 'latch'"},
        Case{"AddressOnAWebSocket",
             subscribe(R"({"websocket":{}})", R"(,"tracks":[{"name":"a","to":"192.0.2.1:5"}])"),
             ErrorCode::bad_request, "tracks[0]: 'to' and 'rtcp_to' are of srtp and rtp legs"},
        Case{"SameTracks",
             subscribe(R"({"websocket":{}})", R"(,"tracks":[{"name":"a"},{"name":"a"}])"),
             ErrorCode::bad_request, "tracks[1]: the track \"a\" stands here twice"},
        Case{"AddressByWebRtc",
             subscribe(R"({"webrtc":{}})", R"(,"tracks":[{"name":"a","to":"192.0.2.1:5"}])"),
             ErrorCode::bad_request, "tracks[0]: 'to' and 'rtcp_to' are of srtp and rtp legs"},
        Case{"PayloadTypeByWebRtc",
             subscribe(R"({"webrtc":{}})", R"(,"tracks":[{"name":"a","payload_type":96}])"),
             ErrorCode::bad_request, "tracks[0]: 'payload_type' is agreed on in SDP"},
        Case{"PeerZero", subscribe(R"({"webrtc":{"peer":0}})"), ErrorCode::bad_request,
             "leg.webrtc.peer: 0 is out of range"},
        Case{"TwoWaysOfChoosing",
             subscribe(R"({"webrtc":{}})", R"(,"layers":{"rid":"l","max_height":1})"),
             ErrorCode::bad_request, "layers: 'rid' names one encoding"},
        Case{"LongWait", subscribe(R"({"websocket":{}})", R"(,"wait_ms":300001)"),
             ErrorCode::bad_request, "wait_ms: 300001 is out of range; write 0 to 300000"},
        Case{"PausedIsANumber", subscribe(R"({"websocket":{}})", R"(,"paused":1)"),
             ErrorCode::bad_request, "paused: is a number; write true or false"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    Others, Refused,
    testing::Values(
        Case{"LegZero", R"({"id":1,"do":"update","leg":0})", ErrorCode::bad_request,
             "leg: 0 is out of range; write 1 to 4294967295"},
        Case{"NoLeg", R"({"id":1,"do":"unsubscribe"})", ErrorCode::bad_request, "leg: is missing"},
        Case{"NoGeneration", R"({"id":1,"do":"answer","peer":1,"sdp":"v=0"})",
             ErrorCode::bad_request, "generation: is missing"},
        Case{"AnswerWithoutSdp", R"({"id":1,"do":"answer","peer":1,"generation":1})",
             ErrorCode::bad_request, "sdp: is missing"},
        Case{"RestartWithoutOffer", R"({"id":1,"do":"restart","peer":1})", ErrorCode::bad_request,
             "offer: is missing"},
        Case{"RestartOfNothing", R"({"id":1,"do":"restart","offer":"v=0"})", ErrorCode::bad_request,
             "peer: is missing"},
        Case{"NoHeight", R"({"id":1,"do":"update","leg":1,"layers":{"max_height":0}})",
             ErrorCode::bad_request, "layers.max_height: 0 is out of range"},
        Case{"TrackWithoutLayers", R"({"id":1,"do":"update","leg":1,"track":"video"})",
             ErrorCode::bad_request, "'track' says whose 'layers' are meant"},
        Case{"VersionZero", R"({"id":1,"do":"hello","versions":[0]})", ErrorCode::bad_request,
             "versions[0]: 0 is out of range"},
        Case{"LongToken", R"({"id":1,"do":"hello","token":")" + std::string(8193, 't') + "\"}",
             ErrorCode::bad_request, "token: is a text of 8193 bytes; write 1 to 8192"},
        Case{"BadPrefix", R"({"id":1,"do":"watch","prefix":"*"})", ErrorCode::bad_request,
             "prefix: \"*\" is no name"},
        Case{"StatsOfNothing", R"({"id":1,"do":"stats"})", ErrorCode::bad_request,
             "write one of 'stream' and 'leg'"},
        Case{"StatsOfBoth", R"({"id":1,"do":"stats","leg":1,"stream":"s"})", ErrorCode::bad_request,
             "write one of 'stream' and 'leg'"},
        Case{"ShortInterval", R"({"id":1,"do":"stats","leg":1,"interval_ms":199})",
             ErrorCode::bad_request, "interval_ms: is too short; write 200 or more, or 0 to stop"},
        Case{"LossOfMoreThanAll",
             R"({"id":1,"do":"report","leg":1,"track":"a","fraction_lost":1.5})",
             ErrorCode::bad_request, "fraction_lost: 1.5 is out of range; write 0 to 1"},
        Case{"HalfAClock",
             R"({"id":1,"do":"report","leg":1,"track":"a","clock":{"rtp_timestamp":1}})",
             ErrorCode::bad_request, "clock.unix_us: is missing"}),
    kName);

TEST(Refusal, QuotesTheIdWhenItCouldBeRead) {
  EXPECT_EQ(decode(R"({"id":7})").error().id, 7u);
  EXPECT_EQ(decode(R"({"id":7,"do":"update"})").error().id, 7u);
  EXPECT_FALSE(decode(R"({"id":7)").error().id.has_value());
  EXPECT_FALSE(decode(R"({"id":-7,"do":"bye"})").error().id.has_value());
}

TEST(Refusal, NeverShowsAKey) {
  const std::string key = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e";
  const std::string texts[] = {
      with_key(key + "AA"),
      with_key(key + "*"),
      with_key(key + "\xff"),
      publish("[]", R"({")" + key + R"(":{}})"),
      publish(R"([{"codec":")" + key + R"("}])"),
      publish(R"([{"name":")" + key + R"(!"}])"),
      R"({"id":1,"do":")" + key + R"("})",
      R"({"id":1,"do":"subscribe","stream":"s","leg":{"rtp":{"to":")" + key + R"("}}})",
      R"({"id":1,"token":")" + key,
  };
  for (const std::string& text : texts) {
    const auto incoming = decode(text);
    ASSERT_FALSE(incoming.has_value()) << text;
    EXPECT_EQ(incoming.error().error.text.find(key), std::string::npos)
        << incoming.error().error.text;
  }
}

std::string nested(std::size_t depth) {
  return R"({"id":1,"do":"bye","x":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') +
         "}";
}
std::string with_members(std::size_t count) {
  std::string text = R"({"id":1,"do":"bye")";
  for (std::size_t i = 2; i < count; ++i) text += ",\"m" + std::to_string(i) + "\":0";
  return text + "}";
}
std::string with_values(std::size_t count) {
  std::string text = R"({"id":1,"do":"bye","x":[0)";
  for (std::size_t i = 5; i < count; ++i) text += ",0";
  return text + "]}";
}
std::string with_tracks(std::size_t count) {
  std::string tracks = "[";
  for (std::size_t i = 0; i < count; ++i) {
    tracks += std::string(i == 0 ? "" : ",") + R"({"codec":"VP8/90000","name":"t)" +
              std::to_string(i) + "\"}";
  }
  return publish(tracks + "]");
}
std::string with_offer(std::size_t size) {
  return subscribe(R"({"webrtc":{"offer":")" + std::string(size, 'v') + "\"}}");
}
std::string with_rid(std::size_t size) {
  return R"({"id":1,"do":"update","leg":1,"layers":{"rid":")" + std::string(size, 'r') + "\"}}";
}
std::string with_token(std::size_t size) {
  return R"({"id":1,"do":"hello","token":")" + std::string(size, 't') + "\"}";
}

TEST(Limits, AreMetExactly) {
  EXPECT_TRUE(decode(nested(kMaxDepth)).has_value());
  EXPECT_FALSE(decode(nested(kMaxDepth + 1)).has_value());
  EXPECT_TRUE(decode(with_members(json::kMaxMembers)).has_value());
  EXPECT_FALSE(decode(with_members(json::kMaxMembers + 1)).has_value());
  EXPECT_TRUE(decode(with_values(json::kMaxValues)).has_value());
  EXPECT_FALSE(decode(with_values(json::kMaxValues + 1)).has_value());
  EXPECT_TRUE(decode(with_tracks(kMaxTracks)).has_value());
  EXPECT_FALSE(decode(with_tracks(kMaxTracks + 1)).has_value());
  EXPECT_TRUE(decode(with_token(kMaxTokenLength)).has_value());
  EXPECT_FALSE(decode(with_token(kMaxTokenLength + 1)).has_value());
  EXPECT_TRUE(decode(with_offer(kMaxSdpLength)).has_value());
  EXPECT_FALSE(decode(with_offer(kMaxSdpLength + 1)).has_value());
  EXPECT_TRUE(decode(with_rid(kMaxMidLength)).has_value());
  EXPECT_FALSE(decode(with_rid(kMaxMidLength + 1)).has_value());
  EXPECT_TRUE(decode(publish(R"([{"payload_type":0}])", R"({"websocket":{}})",
                             std::string(kMaxNameLength, 'n')))
                  .has_value());
}

TEST(Limits, AMillionBracketsCostNothing) {
  for (const std::string& text : {std::string(1'000'000, '['), std::string(1'000'000, '{'),
                                  R"({"x":)" + std::string(1'000'000, '[')}) {
    const auto incoming = decode(text);
    ASSERT_FALSE(incoming.has_value());
    EXPECT_EQ(incoming.error().error.code, ErrorCode::bad_json);
  }
}

}  // namespace
}  // namespace runnel::signalling
