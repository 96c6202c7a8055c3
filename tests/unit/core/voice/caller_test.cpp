// A caller: a client that speaks as Twilio does, from connected to stop.
#include <gtest/gtest.h>

#include "tests/unit/core/voice/voice_client.h"

namespace runnel::voice {
namespace {

using nlohmann::json;

class Caller : public testing::Test {
 protected:
  void send(std::int64_t now, std::string_view text) {
    const auto outcome = session.receive(at(now), text, output);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text;
  }
  Error refusal(std::string_view text) {
    const auto outcome = session.receive(at(0), text, output);
    EXPECT_FALSE(outcome.has_value());
    return outcome ? Error{} : outcome.error();
  }
  void start() {
    session.begin(output);
    send(0, kConnected);
    send(0, kStart);
    EXPECT_TRUE(output.texts.empty()) << "a caller is not greeted";
  }

  Output output;
  Session session{Role::caller, sample_options(), at(0)};
};

TEST_F(Caller, IsPublishedBitExactlyAndAtItsOwnPace) {
  start();
  const Bytes samples = audio(160 * 3);
  for (std::size_t i = 0; i < 3; ++i) {
    send(static_cast<std::int64_t>(100 + 20 * i),
         caller_media(ByteView(samples).subspan(160 * i, 160), 5 + 20 * i));
    EXPECT_EQ(output.packets.size(), i + 1);
  }
  EXPECT_EQ(spoken(output), samples);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(view(output.packets[i]).marker(), i == 0);
    EXPECT_EQ(view(output.packets[i]).timestamp().value,
              static_cast<std::uint32_t>(kFirstTimestamp + 160 * i));
  }
  EXPECT_EQ(session.next_timeout(), std::nullopt);
}

TEST_F(Caller, MaySendAnyWholeMillisecond) {
  start();
  for (const std::size_t size : {8u, 80u, 240u, 960u}) {
    output.clear();
    const Bytes samples = audio(size);
    send(0, caller_media(samples, 0));
    ASSERT_EQ(output.packets.size(), 1u) << size;
    EXPECT_EQ(spoken(output), samples);
  }
  EXPECT_NE(refusal(caller_media(audio(81), 0)).text.find("media.payload: is 81 samples"),
            std::string::npos);
}

TEST_F(Caller, LongMessagesBecomePacketsThatFitIntoTheNetwork) {
  start();
  const Bytes samples = audio(8000);
  send(0, caller_media(samples, 0));
  EXPECT_EQ(output.packets.size(), 50u);
  EXPECT_EQ(spoken(output), samples);
}

TEST_F(Caller, AGapInItsTimestampsIsAGapInTheStream) {
  start();
  send(0, caller_media(audio(160), 1000));
  send(20, caller_media(audio(160), 1025));
  send(40, caller_media(audio(160), 2000));
  ASSERT_EQ(output.packets.size(), 3u);
  EXPECT_FALSE(view(output.packets[1]).marker()) << "5 ms are no gap";
  EXPECT_TRUE(view(output.packets[2]).marker());
  EXPECT_EQ(view(output.packets[2]).timestamp().value, kFirstTimestamp + 8000u);
}

TEST_F(Caller, TimestampsThatGoBackAreIgnored) {
  start();
  send(0, caller_media(audio(160), 1000));
  send(20, caller_media(audio(160), 3));
  ASSERT_EQ(output.packets.size(), 2u);
  EXPECT_EQ(view(output.packets[1]).timestamp().value, kFirstTimestamp + 160u);
}

TEST_F(Caller, WithoutTimestampsSilenceIsWhatTheClockShows) {
  start();
  const std::string media =
      R"({"event":"media","media":{"payload":")" + encode_base64(audio(160)) + R"("}})";
  send(0, media);
  send(120, media);
  send(1000, media);
  ASSERT_EQ(output.packets.size(), 3u);
  EXPECT_FALSE(view(output.packets[1]).marker());
  EXPECT_TRUE(view(output.packets[2]).marker());
  EXPECT_EQ(view(output.packets[2]).timestamp().value, kFirstTimestamp + 8000u);
}

TEST_F(Caller, MayBeAheadOfTheClockByTenSecondsAndNotByMore) {
  start();
  for (std::uint64_t i = 0; i < 10; ++i) send(0, caller_media(audio(8000), 1000 * i));
  EXPECT_EQ(session.counters().too_early, 0u);
  const std::size_t packets = output.packets.size();
  send(0, caller_media(audio(8), 10'000));
  EXPECT_EQ(session.counters().too_early, 1u);
  EXPECT_EQ(output.packets.size(), packets);
  send(1, caller_media(audio(8), 10'001));
  EXPECT_EQ(output.packets.size(), packets + 1);
}

TEST_F(Caller, OtherTracksAreNotPublished) {
  start();
  send(0, R"({"event":"media","media":{"track":"outbound","payload":"AAAAAAAAAAA="}})");
  EXPECT_TRUE(output.packets.empty());
  EXPECT_EQ(session.counters().other_track, 1u);
}

TEST_F(Caller, HearsTheReplyBitExactly) {
  start();
  const Bytes samples = audio(160);
  session.deliver(at(10), heard_packet(1, 0, samples), 0, output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], (json{{"event", "media"},
                               {"streamSid", "MZ18ad3ab5a668481ce02b83e7395059f0"},
                               {"media", {{"payload", encode_base64(samples)}}}}));
}

TEST_F(Caller, HearsNothingBeforeItsStart) {
  session.deliver(at(0), heard_packet(1, 0, audio(160)), 0, output);
  session.relay({PeerEvent::Kind::clear, ""}, output);
  EXPECT_TRUE(output.texts.empty());
  EXPECT_EQ(session.counters().not_started, 1u);
}

TEST_F(Caller, IsToldOfMarksAndClears) {
  start();
  session.relay({PeerEvent::Kind::mark, "part \"1\"\n"}, output);
  session.relay({PeerEvent::Kind::clear, ""}, output);
  session.relay({PeerEvent::Kind::dtmf, "1"}, output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0]["event"], "mark");
  EXPECT_EQ(messages[0]["mark"]["name"], "part \"1\"\n");
  EXPECT_EQ(messages[1],
            json::parse(R"({"event":"clear","streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0"})"));
}

TEST_F(Caller, PressesKeys) {
  start();
  send(0, R"({"event":"dtmf","streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0",
    "sequenceNumber":"5","dtmf":{"track":"inbound_track","digit":"1"}})");
  ASSERT_EQ(output.peer_events.size(), 1u);
  EXPECT_EQ(output.peer_events[0], (PeerEvent{PeerEvent::Kind::dtmf, "1"}));
  EXPECT_EQ(refusal(R"({"event":"dtmf","dtmf":{"digit":"12"}})").code, ErrorCode::bad_message);
}

TEST_F(Caller, AnswersMarksWithoutHarm) {
  start();
  send(0, R"({"event":"mark","sequenceNumber":"4","mark":{"name":"x"},
    "streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0"})");
  EXPECT_TRUE(output.texts.empty());
  EXPECT_TRUE(output.peer_events.empty());
}

TEST_F(Caller, Stops) {
  start();
  EXPECT_FALSE(session.finished());
  send(0, R"({"event":"stop","sequenceNumber":"5","stop":{"accountSid":"AC1","callSid":"CA1"}})");
  EXPECT_TRUE(session.finished());
  send(0, "what comes then is not looked at");
  session.deliver(at(0), heard_packet(1, 0, audio(160)), 0, output);
  EXPECT_TRUE(output.texts.empty());
}

TEST_F(Caller, SpeaksAfterItsStartAndStartsOnce) {
  EXPECT_EQ(refusal(caller_media(audio(160), 0)).code, ErrorCode::out_of_turn);
  start();
  EXPECT_EQ(refusal(kStart).code, ErrorCode::out_of_turn);
}

TEST_F(Caller, IsRefusedWithAnotherCodec) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"audio/x-mulaw", "audio/opus"},
                                 {"8000", "16000"},
                                 {"\"channels\":1", "\"channels\":2"}}) {
    std::string text(kStart);
    text.replace(text.find(from), from.size(), to);
    const Error error = refusal(text);
    EXPECT_EQ(error.code, ErrorCode::unsupported_media);
    EXPECT_EQ(close_code(error.code), 1003);
    EXPECT_NE(error.text.find("nothing is transcoded"), std::string::npos);
  }
}

TEST(Codec, OfAStreamMustBePcmu) {
  using rtp::Codec;
  EXPECT_TRUE(check_codec(Codec::parse(rtp::MediaKind::audio, "PCMU/8000").value()));
  EXPECT_TRUE(check_codec(Codec::parse(rtp::MediaKind::audio, "pcmu/8000/1").value()));
  for (const char* other : {"PCMA/8000", "PCMU/16000", "PCMU/8000/2", "opus/48000/2"}) {
    const auto verdict = check_codec(Codec::parse(rtp::MediaKind::audio, other).value());
    ASSERT_FALSE(verdict.has_value());
    EXPECT_NE(verdict.error().text.find(other), std::string::npos);
  }
}

}  // namespace
}  // namespace runnel::voice
