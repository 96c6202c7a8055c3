// tls and signalling, and what `runneld --check` says of access.
#include <gtest/gtest.h>

#include "config/summary.h"
#include "load.h"

namespace runnel::config {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kTls = "tls: {certificate: server.pem, key: server.key}";

Fake with_files() {
  Fake fake;
  fake.files = {{"server.pem", "certificate"}, {"server.key", "private"}};
  return fake;
}

TEST(Tls, NamesFilesAsTheDaemonOpensThem) {
  const Fake fake = with_files();
  Surroundings surroundings = fake.surroundings();
  surroundings.resolve = [](const std::string& path) { return "/etc/runnel/" + path; };
  const auto loaded = load_text(kTls, "test.yaml", surroundings);
  ASSERT_TRUE(loaded);
  ASSERT_TRUE(loaded->config.tls);
  EXPECT_EQ(loaded->config.tls->certificate, "/etc/runnel/server.pem");
  EXPECT_EQ(loaded->config.tls->key, "/etc/runnel/server.key");
  EXPECT_EQ(loaded->config.tls->key_origin.to_string(), "test.yaml:1: tls.key");
  EXPECT_THAT(loaded->warnings, IsEmpty());
  EXPECT_FALSE(load("tls:").config.tls);
}

TEST(Tls, NeedsBothFilesAndReadsThem) {
  const std::pair<const char*, const char*> cases[] = {
      {"tls: {certificate: server.pem}", "tls: 'key' is missing; add the file with the certific"},
      {"tls: {key: server.key}", "tls: 'certificate' is missing; add the file with the certific"},
      {"tls: {certificate: nope, key: server.key}", "tls.certificate: cannot read 'nope': No such"},
      {"tls: {certificate: server.pem, key: nope}", "tls.key: cannot read 'nope': No such"},
      {"tls: {certificate: server.pem, key: }", "tls.key: has no value"},
      {"tls: server.pem", "tls: is a single value; write KEY: VALUE below it"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(errors_of(yaml, with_files()), ElementsAre(HasSubstr(expected))) << yaml;
  }
}

TEST(Tls, AKeyThatOthersMayReadIsAWarning) {
  Fake fake = with_files();
  fake.files_are_open = true;
  EXPECT_THAT(warnings_of(kTls, fake),
              ElementsAre(AllOf(HasSubstr("tls.key: other users of this machine may read the key"),
                                HasSubstr("chmod go-rwx"))));
}

TEST(Signalling, ReadsEverything) {
  const SignallingSettings settings =
      load(
          "signalling:\n"
          "  origins: [\"https://App.Example.net\", \"http://[::1]:8080\", \"*\", \"null\"]\n"
          "  rtp_networks: 10.0.0.0/8\n"
          "  srtp_networks: [\"2001:db8::/32\", 192.0.2.1]\n"
          "  hold: 1m\n"
          "  ping_interval: 5s\n")
          .config.signalling_settings;
  EXPECT_THAT(settings.origins,
              ElementsAre("https://app.example.net", "http://[::1]:8080", "*", "null"));
  ASSERT_THAT(settings.rtp_networks, SizeIs(1));
  EXPECT_EQ(settings.rtp_networks[0].to_string(), "10.0.0.0/8");
  ASSERT_THAT(settings.srtp_networks, SizeIs(2));
  EXPECT_EQ(settings.srtp_networks[1].to_string(), "192.0.2.1/32");
  EXPECT_EQ(settings.hold, seconds(60));
  EXPECT_EQ(settings.ping_interval, seconds(5));
}

TEST(Signalling, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"origins: app.example.net", "does not begin with a scheme; write \"https://HOST\""},
      {"origins: \"://host\"", "does not begin with a scheme"},
      {"origins: [\"https://a.example/\"]", "more than an origin; write 'https://a.example'"},
      {"origins: \"https://*.example\"", "'*.example' is neither an IP address nor a host name"},
      {"origins: \"https://a.example:0\"", "has no valid port"},
      {"origins: \"https://\"", "is neither an IP address nor a host name"},
      {"rtp_networks: [10.0.0.1/8]", "rtp_networks[0]: '10.0.0.1/8' has bits set behind"},
      {"srtp_networks: everybody", "srtp_networks: 'everybody' is no network"},
      {"hold: 999ms", "hold: '999ms' is out of bounds; use 1s to 24h"},
      {"hold: 86400001ms", "out of bounds; use 1s to 24h"},
      {"ping_interval: 999ms", "out of bounds; use 1s to 10m"},
      {"ping_interval: 600001ms", "out of bounds; use 1s to 10m"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(errors_of("signalling: {" + std::string(yaml) + "}"),
                ElementsAre(AllOf(HasSubstr("test.yaml:1: signalling."), HasSubstr(expected))))
        << yaml;
  }
  EXPECT_THAT(errors_of("signalling: {hold: 1s, ping_interval: 1s}"), IsEmpty());
  EXPECT_THAT(errors_of("signalling: {hold: 24h, ping_interval: 10m}"), IsEmpty());
}

TEST(Signalling, AListHasALimit) {
  const auto networks = [](int count) {
    std::string yaml = "signalling: {rtp_networks: [";
    for (int i = 0; i < count; ++i) yaml += "10.0.0.1, ";
    return yaml + "]}";
  };
  EXPECT_THAT(errors_of(networks(1'000)), IsEmpty());
  EXPECT_THAT(errors_of(networks(1'001)), ElementsAre(HasSubstr("has 1001 entries; give at most")));
}

TEST(AccessSummary, ShowsWhoMayDoWhatAndNoSecret) {
  Fake fake = with_files();
  fake.files["issuer.pem"] = kEcPublicKey;
  const std::string text = summary(
      load("listen: {signalling: \"0.0.0.0:443\"}\n" + kTls +
               "\n"
               "auth:\n"
               "  tokens:\n"
               "    - {name: camera, token: secret-of-camera, may: [watch, publish],\n"
               "       streams: [\"cam-*\", studio], take_over: true, expires: \"2027-01-31\"}\n"
               "    - {name: viewer, token: secret-of-viewer, may: subscribe}\n"
               "  query: true\n"
               "  jwt:\n"
               "    keys: [{kid: k1, algorithm: ES256, key_file: issuer.pem},\n"
               "           {algorithm: HS256, secret: secret-of-everybody-who-is-anybody}]\n"
               "    issuer: https://id.example\n"
               "    audience: [a, b]\n"
               "signalling: {origins: \"*\", rtp_networks: 10.0.0.0/8, srtp_networks: 0.0.0.0/0}\n",
           fake));
  EXPECT_THAT(text, HasSubstr(R"(signalling  0.0.0.0:443 (TCP)
page        https://127.0.0.1:443/
tls         server.pem
access      with a token
  camera may publish and watch cam-* and studio, and take over, until 2027-01-31T00:00:00Z
  viewer may subscribe *
  JWTs signed by ES256, kid 'k1'
  JWTs signed by HS256
  JWTs have to be from 'https://id.example'
  JWTs have to be for 'a' or 'b'
  tokens may stand in the URL
  web pages from * may connect
  rtp legs may come from and go to 10.0.0.0/8
  srtp legs may also go to 0.0.0.0/0
announce)"));
  EXPECT_THAT(text, Not(HasSubstr("secret-of")));
}

TEST(AccessSummary, OfThoseWhoNeedNoToken) {
  EXPECT_THAT(summary(load("")), HasSubstr("access      everybody on this machine may do every"));
  EXPECT_THAT(summary(load("auth: {open: true}")), HasSubstr("access      everybody may do every"));
  EXPECT_THAT(summary(load("listen: {signalling: []}")), Not(HasSubstr("access")));
}

}  // namespace
}  // namespace runnel::config
