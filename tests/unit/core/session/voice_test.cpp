// Voice connections at the desk: a caller and an agent, joined by two streams.
#include "telephone.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

TEST(Voice, TheAgentHearsTheCallerBitExactly) {
  Scene scene;
  Telephone agent(scene, kAgent);
  EXPECT_EQ(agent.heard("connected").size(), 1u);
  EXPECT_EQ(agent.heard("start").size(), 1u);
  Telephone caller(scene, kCaller);
  caller.start();
  const Bytes spoken = samples(1600);
  for (std::size_t i = 0; i < 10; ++i) {
    caller.speak(Bytes(spoken.begin() + static_cast<std::ptrdiff_t>(160 * i),
                       spoken.begin() + static_cast<std::ptrdiff_t>(160 * (i + 1))));
    scene.advance(milliseconds(20));
  }
  EXPECT_EQ(agent.audio(), spoken);
}

TEST(Voice, TheCallerHearsTheAgentBitExactly) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  Telephone agent(scene, kAgent);
  const Bytes spoken = samples(8000, 3);
  agent.speak(spoken);
  scene.advance(seconds(2));
  EXPECT_EQ(caller.audio(), spoken);
}

TEST(Voice, MarksKeysAndClearsReachTheOtherSide) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  Telephone agent(scene, kAgent);
  caller.send({{"event", "dtmf"}, {"dtmf", {{"digit", "5"}}}});
  const auto keys = agent.heard("dtmf");
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0]["dtmf"]["digit"], "5");
  agent.speak(samples(800));
  agent.send({{"event", "mark"}, {"mark", {{"name", "end"}}}});
  EXPECT_TRUE(agent.heard("mark").empty());
  scene.advance(milliseconds(200));
  EXPECT_EQ(agent.heard("mark").size(), 1u);
  EXPECT_EQ(caller.heard("mark").size(), 1u);
  agent.send({{"event", "clear"}});
  EXPECT_EQ(caller.heard("clear").size(), 1u);
}

TEST(Voice, KeysStayWithinTheirStream) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  Telephone other(scene, kAgent, "sales");
  caller.send({{"event", "dtmf"}, {"dtmf", {{"digit", "5"}}}});
  EXPECT_TRUE(other.heard("dtmf").empty());
}

TEST(Voice, WhenTheCallerHangsUpTheAgentIsToldStop) {
  Scene scene;
  Telephone agent(scene, kAgent);
  Telephone caller(scene, kCaller);
  caller.start();
  caller.speak(samples(160));
  caller.send({{"event", "stop"}});
  EXPECT_EQ(caller.close_code(), 1000);
  caller.hang_up();
  EXPECT_EQ(agent.heard("stop").size(), 1u);
  EXPECT_EQ(agent.close_code(), 1000);
  agent.hang_up();
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
  EXPECT_FALSE(scene.desk.next_timeout().has_value());
}

TEST(Voice, TheCallerHearsTheNextAgentToo) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  {
    Telephone agent(scene, kAgent);
    agent.speak(samples(160));
    scene.advance(milliseconds(40));
    EXPECT_EQ(caller.audio(), samples(160));
    agent.hang_up();
  }
  Telephone agent(scene, kAgent);
  agent.speak(samples(160, 9));
  scene.advance(milliseconds(40));
  EXPECT_EQ(caller.audio(), samples(160, 9));
}

TEST(Voice, ASecondCallerIsRefusedWhenItSpeaks) {
  Scene scene;
  Telephone one(scene, kCaller);
  one.start();
  one.speak(samples(160));
  Telephone two(scene, kCaller);
  two.start();
  EXPECT_EQ(two.close_code(), 0);
  two.speak(samples(160));
  EXPECT_EQ(two.close_code(), 1008);
  one.speak(samples(160));
  EXPECT_EQ(one.close_code(), 0);
}

TEST(Voice, AStreamOfAnotherCodecIsRefusedWithASentence) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  publisher.ask("publish", publication("support", websocket_leg(), Json::array({audio_track()})));
  const auto refused = scene.desk.connect_voice(scene.moment, {*IpAddress::parse("192.0.2.30"), {}},
                                                "support", kAgent);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, signalling::ErrorCode::unsupported_codec);
  EXPECT_NE(refused.error().text.find("opus"), std::string::npos);
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
}

TEST(Voice, AStreamOfAnotherCodecThatComesLaterClosesTheConnection) {
  Scene scene;
  Telephone agent(scene, kAgent);
  Guest publisher = Guest::greeted(scene);
  publisher.ask("publish", publication("support", websocket_leg(), Json::array({audio_track()})));
  EXPECT_EQ(agent.close_code(), 1003);
}

TEST(Voice, TheAgentHearsAPublisherOfMuLawByAnyLeg) {
  Scene scene;
  Telephone agent(scene, kAgent);
  Guest publisher = Guest::greeted(scene);
  const Json leg = publisher.ask(
      "publish",
      publication("support", websocket_leg(),
                  Json::array({{{"name", "audio"}, {"codec", "PCMU/8000"}, {"payload_type", 0}}})));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  publisher.send_packet(
      channel_of(leg),
      packet({.sequence_number = 1, .payload = samples(160), .marker = false, .payload_type = 0}));
  EXPECT_EQ(agent.audio(), samples(160));
}

TEST(Voice, NeedsPermissionForBothDirections) {
  SceneOptions options;
  options.auth =
      tokens_only(static_token("half", may("support", Action::publish, Action::subscribe)),
                  static_token("whole", may("support*", Action::publish, Action::subscribe)));
  Scene scene(std::move(options));
  const auto connect = [&](std::string_view name) {
    return scene.desk.connect_voice(scene.moment, {*IpAddress::parse("192.0.2.30"), token_of(name)},
                                    "support", kCaller);
  };
  const auto refused = connect("half");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, signalling::ErrorCode::forbidden);
  EXPECT_TRUE(connect("whole").has_value());
}

TEST(Voice, TakesNoNamesThatSignallingWouldNot) {
  Scene scene;
  const auto connect = [&](const std::string& name) {
    return scene.desk
        .connect_voice(scene.moment, {*IpAddress::parse("192.0.2.30"), {}}, name, kCaller)
        .has_value();
  };
  EXPECT_TRUE(connect(std::string(58, 'a')));
  EXPECT_FALSE(connect(std::string(59, 'a')));
  for (const char* name : {"", "a b", "a*", "-a", ".a", "a\"", "\xff"}) {
    EXPECT_FALSE(connect(name)) << name;
  }
}

TEST(Voice, ATokenThatExpiresEndsACallWithAudioWaiting) {
  SceneOptions options;
  options.auth = tokens_only(
      static_token("agent", Permissions::everything(), auth::WallTime(seconds(Scene::kStart + 2))));
  Scene scene(std::move(options));
  Telephone agent(scene, kAgent, "support", token_of("agent"));
  agent.speak(samples(8 * 10'000));
  scene.advance(seconds(5));
  EXPECT_EQ(agent.close_code(), 1008);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  agent.hang_up();
  EXPECT_EQ(scene.desk.counts().connections, 0u);
}

TEST(Voice, ABinaryMessageClosesTheConnection) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  caller.speak(samples(160));
  Bytes message{0x10, 0, 0, 1};
  const Bytes bytes = packet({});
  message.insert(message.end(), bytes.begin(), bytes.end());
  EXPECT_TRUE(scene.desk.receive_binary(scene.moment, caller.id(), message));
  scene.settle();
  EXPECT_EQ(caller.close_code(), 1003);
}

TEST(Voice, ALongMessageOfACallerArrivesWhole) {
  Scene scene;
  Telephone agent(scene, kAgent);
  Telephone caller(scene, kCaller);
  caller.start();
  const Bytes spoken = samples(8 * 8000);
  caller.speak(spoken);
  scene.advance(seconds(1));
  EXPECT_EQ(agent.audio(), spoken);
}

TEST(Voice, AFloodOfKeysDoesNotReachTheAgent) {
  Scene scene;
  Telephone agent(scene, kAgent);
  Telephone caller(scene, kCaller);
  caller.start();
  for (int i = 0; i < 10'000; ++i) {
    caller.send({{"event", "dtmf"}, {"dtmf", {{"track", "inbound_track"}, {"digit", "1"}}}});
  }
  EXPECT_EQ(agent.heard("dtmf").size(), 250u);
  EXPECT_EQ(scene.desk.counts().media_drops.peer_events, 9'750u);
}

TEST(Voice, MoreAgentsThanTheIntakeHasRoomForAllSpeakInOneWakeUp) {
  Scene scene;
  constexpr std::size_t kCalls = 3 * 64;
  std::vector<Telephone> callers;
  std::vector<Telephone> agents;
  for (std::size_t i = 0; i < kCalls; ++i) {
    const std::string stream = "call-" + std::to_string(i);
    callers.emplace_back(scene, kCaller, stream).start();
    agents.emplace_back(scene, kAgent, stream).speak(samples(1600, static_cast<std::uint8_t>(i)));
  }
  scene.advance(seconds(1));
  EXPECT_EQ(scene.desk.counts().media_drops.peer_events, 0u);
  for (std::size_t i = 0; i < kCalls; ++i) {
    EXPECT_EQ(callers[i].audio(), samples(1600, static_cast<std::uint8_t>(i)));
  }
}

TEST(Voice, APublicationThatIsTakenOverClosesTheCall) {
  Scene scene;
  Telephone caller(scene, kCaller);
  caller.start();
  caller.speak(samples(160));
  Guest publisher = Guest::greeted(scene);
  Json wish =
      publication("support", websocket_leg(),
                  Json::array({{{"name", "audio"}, {"codec", "PCMU/8000"}, {"payload_type", 0}}}));
  wish["take_over"] = true;
  EXPECT_EQ(Guest::code(publisher.ask("publish", wish)), "ok");
  EXPECT_EQ(caller.close_code(), 1008);
  caller.speak(samples(160));
  caller.hang_up();
  EXPECT_EQ(scene.desk.counts().publications, 1u);
}

}  // namespace
}  // namespace runnel::session
