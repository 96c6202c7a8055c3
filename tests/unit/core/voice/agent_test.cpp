// An agent: what a voice program is sent, and how its audio is played out in time.
#include <gtest/gtest.h>

#include "tests/unit/core/voice/voice_client.h"

namespace runnel::voice {
namespace {

using nlohmann::json;

class Agent : public testing::Test {
 protected:
  void SetUp() override {
    session.begin(output);
    greeting = std::move(output.texts);
    output.clear();
  }
  void send(std::int64_t now, const std::string& text) {
    const auto outcome = session.receive(at(now), text, output);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text;
  }
  /// Handles all timeouts up to `until`, and answers when packets left, in milliseconds.
  std::vector<double> run(std::int64_t until) {
    std::vector<double> times;
    while (session.next_timeout() && *session.next_timeout() <= at(until)) {
      const Timestamp now = *session.next_timeout();
      const std::size_t before = output.packets.size();
      session.handle_timeout(now, output);
      for (std::size_t i = before; i < output.packets.size(); ++i) {
        times.push_back(std::chrono::duration<double, std::milli>(now - at(0)).count());
      }
    }
    return times;
  }
  [[nodiscard]] std::string sid() const { return std::string(session.stream_sid()); }

  Output output;
  Session session{Role::agent, sample_options(), at(0)};
  std::vector<std::string> greeting;
};

TEST_F(Agent, IsGreetedAsTwilioGreets) {
  const auto messages = parsed(greeting);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0], json::parse(kConnected));
  const json& start = messages[1];
  EXPECT_EQ(start["event"], "start");
  EXPECT_EQ(start["sequenceNumber"], "1");
  EXPECT_EQ(start["streamSid"], "MZ000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(start["start"]["streamSid"], start["streamSid"]);
  EXPECT_EQ(start["start"]["callSid"], "CA000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(start["start"]["tracks"], json::parse(R"(["inbound"])"));
  EXPECT_EQ(start["start"]["mediaFormat"],
            json::parse(R"({"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1})"));
  EXPECT_EQ(start["start"]["customParameters"]["stream"], "support");
}

TEST_F(Agent, HearsTheStreamBitExactly) {
  const Bytes first = audio(160, 1);
  const Bytes second = audio(160, 2);
  session.deliver(at(5000), heard_packet(65535, 0xffffffb0, first, 0), 0, output);
  session.deliver(at(5019), heard_packet(0, 0x00000050, second, 0), 0, output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0]["event"], "media");
  EXPECT_EQ(messages[0]["streamSid"], sid());
  EXPECT_EQ(messages[0]["sequenceNumber"], "2");
  EXPECT_EQ(messages[0]["media"]["track"], "inbound");
  EXPECT_EQ(messages[0]["media"]["chunk"], "1");
  EXPECT_EQ(messages[0]["media"]["timestamp"], "5000");
  EXPECT_EQ(payload_of(messages[0]), first);
  EXPECT_EQ(messages[1]["media"]["chunk"], "2");
  EXPECT_EQ(messages[1]["media"]["timestamp"], "5020") << "by RTP, and not by arrival";
  EXPECT_EQ(payload_of(messages[1]), second);
}

TEST_F(Agent, HearsEachPacketOnceAndInOrder) {
  const Bytes samples = audio(8);
  for (const std::uint16_t number : std::vector<std::uint16_t>{10, 12, 11, 12, 13}) {
    session.deliver(at(0), heard_packet(number, number * 8u, samples), 0, output);
  }
  EXPECT_EQ(output.texts.size(), 3u);
  EXPECT_EQ(session.counters().late_packets, 2u);
}

TEST_F(Agent, HearsANewSourceFromItsFirstPacketOn) {
  const Bytes samples = audio(8);
  session.deliver(at(100), heard_packet(1000, 5000, samples, 0, 7), 0, output);
  session.deliver(at(300), heard_packet(3, 900'000, samples, 0, 8), 0, output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[1]["media"]["timestamp"], "300");
}

TEST_F(Agent, HearsNoOtherPayloadType) {
  session.deliver(at(0), heard_packet(1, 0, audio(8), 13), 0, output);
  session.deliver(at(0), heard_packet(2, 0, Bytes(), 0), 0, output);
  session.deliver(at(0), Bytes{1, 2, 3}, 0, output);
  EXPECT_TRUE(output.texts.empty());
  EXPECT_EQ(session.counters().other_payload_type, 3u);
}

TEST_F(Agent, IsPlayedOutInPacketsOf20Milliseconds) {
  const Bytes samples = audio(1600);
  send(0, agent_media(samples));
  EXPECT_EQ(output.packets.size(), 1u) << "the first leaves at once";
  const std::vector<double> expected{20, 40, 60, 80, 100, 120, 140, 160, 180};
  EXPECT_EQ(run(1000), expected);
  EXPECT_EQ(spoken(output), samples);
  for (std::size_t i = 0; i < output.packets.size(); ++i) {
    const auto packet = view(output.packets[i]);
    EXPECT_EQ(packet.payload().size(), 160u);
    EXPECT_EQ(packet.marker(), i == 0);
    EXPECT_EQ(packet.sequence_number(), static_cast<std::uint16_t>(kFirstSequenceNumber + i));
    EXPECT_EQ(packet.timestamp().value, static_cast<std::uint32_t>(kFirstTimestamp + 160 * i));
    EXPECT_EQ(packet.ssrc(), 0x12345678u);
    EXPECT_EQ(packet.payload_type(), 0);
  }
  EXPECT_EQ(session.next_timeout(), std::nullopt);
}

TEST_F(Agent, IsPlayedOutContinuouslyWhateverTheSizeOfItsMessages) {
  const Bytes samples = audio(100 * 11);
  for (std::size_t i = 0; i < 11; ++i) {
    send(0, agent_media(ByteView(samples).subspan(100 * i, 100)));
  }
  run(1000);
  EXPECT_EQ(spoken(output), samples);
  ASSERT_EQ(output.packets.size(), 7u);
  EXPECT_EQ(view(output.packets[6]).payload().size(), 1100u - 6 * 160) << "the rest follows alone";
}

TEST_F(Agent, IsWaitedForWhenItsAudioIsShorterThanAPacket) {
  send(0, agent_media(audio(80)));
  EXPECT_TRUE(output.packets.empty());
  send(10, agent_media(audio(80)));
  EXPECT_EQ(output.packets.size(), 1u);
  EXPECT_EQ(spoken(output).size(), 160u);
}

TEST_F(Agent, ATimerThatIsLateDoesNotSlowItDown) {
  send(0, agent_media(audio(160 * 10)));
  session.handle_timeout(at(75), output);
  EXPECT_EQ(output.packets.size(), 4u);
  EXPECT_EQ(session.next_timeout(), at(80));
}

TEST_F(Agent, SilenceMovesTheTimestampsOnAndSetsTheMarker) {
  send(0, agent_media(audio(160)));
  send(1000, agent_media(audio(320)));
  run(2000);
  ASSERT_EQ(output.packets.size(), 3u);
  EXPECT_TRUE(view(output.packets[1]).marker());
  EXPECT_EQ(view(output.packets[1]).timestamp().value, kFirstTimestamp + 8000u);
  EXPECT_EQ(view(output.packets[1]).sequence_number(),
            static_cast<std::uint16_t>(kFirstSequenceNumber + 1));
  EXPECT_FALSE(view(output.packets[2]).marker());
}

TEST_F(Agent, JitterOfARealTimeSenderIsNoSilence) {
  const std::vector<std::int64_t> arrivals{0, 25, 38, 75, 80, 100};
  for (const std::int64_t arrival : arrivals) {
    run(arrival);
    send(arrival, agent_media(audio(160)));
  }
  run(1000);
  ASSERT_EQ(output.packets.size(), arrivals.size());
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    EXPECT_FALSE(view(output.packets[i]).marker()) << i;
    EXPECT_EQ(view(output.packets[i]).timestamp().value,
              static_cast<std::uint32_t>(kFirstTimestamp + 160 * i));
  }
}

TEST_F(Agent, GetsAMarkBackWhenAllAudioBeforeItHasBeenHeard) {
  send(0, agent_media(audio(400)));
  send(0, R"({"event":"mark","streamSid":")" + sid() + R"(","mark":{"name":"first \"part\""}})");
  send(0, agent_media(audio(160)));
  run(59);
  EXPECT_TRUE(output.texts.empty()) << "the packet with its last samples lasts until 60 ms";
  run(60);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0]["event"], "mark");
  EXPECT_EQ(messages[0]["streamSid"], sid());
  EXPECT_EQ(messages[0]["mark"]["name"], R"(first "part")");
  const PeerEvent expected{PeerEvent::Kind::mark, R"(first "part")"};
  ASSERT_EQ(output.peer_events.size(), 1u);
  EXPECT_EQ(output.peer_events[0], expected);
}

TEST_F(Agent, GetsAMarkBackAtOnceWhenNothingPlays) {
  send(500, R"({"event":"mark","mark":{"name":"idle"}})");
  EXPECT_EQ(parsed(output.texts).at(0)["mark"]["name"], "idle");
}

TEST_F(Agent, GetsMarksBackInOrder) {
  send(0, R"({"event":"mark","mark":{"name":"a"}})");
  send(0, agent_media(audio(160)));
  send(0, R"({"event":"mark","mark":{"name":"b"}})");
  send(0, R"({"event":"mark","mark":{"name":"c"}})");
  run(100);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0]["mark"]["name"], "a");
  EXPECT_EQ(messages[1]["mark"]["name"], "b");
  EXPECT_EQ(messages[2]["mark"]["name"], "c");
  EXPECT_EQ(messages[2]["sequenceNumber"], "4");
}

TEST_F(Agent, ClearsWhatHasNotBeenPlayedAndGetsItsMarksBack) {
  send(0, agent_media(audio(1600)));
  send(0, R"({"event":"mark","mark":{"name":"end"}})");
  run(40);
  ASSERT_EQ(output.packets.size(), 3u);
  send(50, R"({"event":"clear","streamSid":")" + sid() + R"("})");
  EXPECT_EQ(parsed(output.texts).at(0)["mark"]["name"], "end");
  EXPECT_EQ(output.peer_events.at(0), (PeerEvent{PeerEvent::Kind::clear, ""}));
  run(1000);
  EXPECT_EQ(output.packets.size(), 3u);
  send(1000, agent_media(audio(160, 9)));
  ASSERT_EQ(output.packets.size(), 4u);
  EXPECT_TRUE(view(output.packets[3]).marker());
}

TEST_F(Agent, MayBeAheadByAMinuteAndNotBySampleMore) {
  // The first packet leaves at once, and makes room.
  const Bytes minute = audio(480'000);
  send(0, agent_media(audio(160)));
  send(0, agent_media(minute));
  EXPECT_EQ(session.counters().queue_full, 0u);
  send(0, agent_media(audio(1)));
  EXPECT_EQ(session.counters().queue_full, 1u);
  send(20, agent_media(audio(160)));
  EXPECT_EQ(session.counters().queue_full, 1u) << "there is room again";
}

TEST_F(Agent, MayHaveSoManyMarksWaitingAndNotOneMore) {
  send(0, agent_media(audio(1600)));
  for (std::size_t i = 0; i < 256; ++i) send(0, R"({"event":"mark","mark":{"name":"m"}})");
  const auto outcome = session.receive(at(0), R"({"event":"mark","mark":{"name":"m"}})", output);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::limit_reached);
  EXPECT_EQ(close_code(outcome.error().code), 1008);
}

TEST_F(Agent, MustMeanItsOwnStream) {
  const auto outcome = session.receive(at(0), R"({"event":"clear","streamSid":"MZother"})", output);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().text, "streamSid: is not that of this stream");
}

TEST_F(Agent, IsToldWhichKeysTheCallerPresses) {
  session.relay({PeerEvent::Kind::dtmf, "#"}, output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], json::parse(R"({"event":"dtmf","sequenceNumber":"2","dtmf":
    {"track":"inbound_track","digit":"#"},"streamSid":"MZ000102030405060708090a0b0c0d0e0f"})"));
}

TEST_F(Agent, IsToldTheEndOnce) {
  session.end(output);
  session.end(output);
  const auto messages = parsed(output.texts);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0]["event"], "stop");
  EXPECT_EQ(messages[0]["stop"]["callSid"], "CA000102030405060708090a0b0c0d0e0f");
  EXPECT_TRUE(session.finished());
  send(0, agent_media(audio(160)));
  EXPECT_TRUE(output.packets.empty());
}

TEST_F(Agent, EventsThatAreNotKnownAreIgnored) {
  send(0, R"({"event":"transcript","text":{"deep":[1,2,{"x":null}]}})");
  send(0, std::string(kStart));
  EXPECT_TRUE(output.texts.empty());
  EXPECT_EQ(session.counters().unknown_events, 2u);
}

}  // namespace
}  // namespace runnel::voice
