// The section `webrtc`: what it may say, and what is told to who writes something else.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Fake kFake{.environment = {{"TURN", "from the environment"}},
                 .files = {{"dtls.pem", "certificate"}, {"dtls.key", "key"}}};

TEST(WebRtc, ReadsEverything) {
  const WebRtc webrtc = load(R"(
webrtc:
  enabled: false
  ice_tcp: no
  certificate: dtls.pem
  key: dtls.key
  ice_servers:
    - urls: ["turn:turn.runnel.test:3478?transport=udp", "turns:192.0.2.9"]
      username: runnel
      credential: "${TURN}"
    - {urls: "stun:[2001:db8::9]:3478"}
  publisher_bitrate: 2500kbit/s
)",
                             kFake)
                            .config.webrtc;
  EXPECT_FALSE(webrtc.enabled);
  EXPECT_FALSE(webrtc.ice_tcp);
  ASSERT_TRUE(webrtc.certificate);
  EXPECT_EQ(webrtc.certificate->certificate, "dtls.pem");
  EXPECT_EQ(webrtc.certificate->key, "dtls.key");
  ASSERT_THAT(webrtc.ice_servers, SizeIs(2));
  EXPECT_THAT(webrtc.ice_servers[0].urls,
              ElementsAre("turn:turn.runnel.test:3478?transport=udp", "turns:192.0.2.9"));
  EXPECT_EQ(webrtc.ice_servers[0].username, "runnel");
  EXPECT_EQ(webrtc.ice_servers[0].credential, "from the environment");
  EXPECT_THAT(webrtc.ice_servers[1].urls, ElementsAre("stun:[2001:db8::9]:3478"));
  EXPECT_EQ(webrtc.publisher_bitrate, 2'500'000u);
}

TEST(WebRtc, IsThereByDefault) {
  const WebRtc webrtc = load("webrtc:\n").config.webrtc;
  EXPECT_TRUE(webrtc.enabled);
  EXPECT_TRUE(webrtc.ice_tcp);
  EXPECT_FALSE(webrtc.certificate);
  EXPECT_EQ(webrtc.publisher_bitrate, 8'000'000u);
}

TEST(WebRtc, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"{enable: true}", "unknown key 'enable'; did you mean 'enabled'?"},
      {"{enabled: maybe}", "test.yaml:1: webrtc.enabled: 'maybe'"},
      {"{certificate: dtls.pem}", "add the file with the certificate's private key, in PEM"},
      {"{key: dtls.key}", "add the file with the certificate and its chain, in PEM"},
      {"{certificate: gone.pem, key: dtls.key}", "cannot read 'gone.pem'"},
      {"{publisher_bitrate: fast}", "'fast' is no bit rate; use 100kbit/s to 1Gbit/s, such as"},
      {"{publisher_bitrate: 99999}", "'99999' is out of bounds; use 100kbit/s to 1Gbit/s"},
      {"{publisher_bitrate: 1000000001}", "is out of bounds; use 100kbit/s to 1Gbit/s"},
      {"{ice_servers: [{username: u}]}", "add urls: [\"stun:HOST:PORT\"]"},
      {"{ice_servers: [{urls: []}]}", "names no server; write \"stun:HOST:PORT\""},
      {"{ice_servers: [{urls: stun.runnel.test}]}", "is no URL of a STUN or TURN server"},
      {"{ice_servers: [{urls: 'https://runnel.test'}]}", "is no URL of a STUN or TURN server"},
      {"{ice_servers: [{urls: 'stun://runnel.test'}]}", "write 'stun:runnel.test'"},
      {"{ice_servers: [{urls: 'stun:runnel.test:0'}]}", "has no valid port"},
      {"{ice_servers: [{urls: 'stun:runnel test'}]}", "is neither an IP address nor a host name"},
      {"{ice_servers: [{urls: 'stun:a.test?transport=udp'}]}", "behind '?' that browsers refuse"},
      {"{ice_servers: [{urls: 'turn:a.test?transport=sctp', username: u, credential: c}]}",
       "write ?transport=udp or ?transport=tcp"},
      {"{ice_servers: [{urls: 'turn:a.test', username: u}]}",
       "webrtc.ice_servers[0]: a TURN server without username and credential"},
      {"{ice_servers: [{urls: 'turn:a.test', username: u, credential: '${NO_SUCH}'}]}",
       "the environment variable 'NO_SUCH' is not set"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(errors_of(std::string("webrtc: ") + yaml, kFake), ElementsAre(HasSubstr(expected)))
        << yaml;
  }
}

TEST(WebRtc, IceServersHaveALimit) {
  const auto servers = [](int count, int urls) {
    std::string yaml = "webrtc: {ice_servers: [";
    for (int i = 0; i < count; ++i) {
      yaml += "{urls: [";
      for (int j = 0; j < urls; ++j) yaml += "'stun:a.test', ";
      yaml += "]}, ";
    }
    return yaml + "]}";
  };
  EXPECT_THAT(errors_of(servers(16, 8)), IsEmpty());
  EXPECT_THAT(errors_of(servers(17, 1)), ElementsAre(HasSubstr("has 17 entries")));
  EXPECT_THAT(errors_of(servers(1, 9)), ElementsAre(HasSubstr("urls: has 9 entries")));
}

TEST(WebRtc, AKeyThatOthersMayReadIsAWarning) {
  Fake fake = kFake;
  fake.files_are_open = true;
  EXPECT_THAT(warnings_of("webrtc: {certificate: dtls.pem, key: dtls.key}", fake),
              ElementsAre(AllOf(HasSubstr("webrtc.key"), HasSubstr("chmod go-rwx"))));
}

}  // namespace
}  // namespace runnel::config
