// listen, announce, log, limits: values, bounds, messages.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Settings, ReadsEverything) {
  const Config config = load(R"(
listen:
  media: "10.0.0.1:7100"
  signalling: ["0.0.0.0:80", "[::]:80"]
auth: {open: true}
announce: [auto, media.runnel.test, "10.0.0.1", auto, "[2001:db8::1]"]
log: {level: debug, format: json, statistics_interval: 0}
limits:
  relays: 5
  receivers_per_relay: 6
  media_per_leg: 7
  ssrcs_per_leg: 8
  replay_window: 128
  receive_buffer: 1MiB
  send_buffer: 65536
  retransmission_packets: 256
  key_frame_interval: 1s
  report_interval: 5s
  stall: 2s
  hold: 1m
)")
                            .config;
  ASSERT_THAT(config.media, SizeIs(1));
  EXPECT_EQ(config.media[0].address.to_string(), "10.0.0.1:7100");
  EXPECT_EQ(config.media[0].origin.to_string(), "test.yaml:3: listen.media");
  ASSERT_THAT(config.signalling, SizeIs(2));
  EXPECT_EQ(config.signalling[1].origin.to_string(), "test.yaml:4: listen.signalling[1]");
  EXPECT_THAT(config.announce, ElementsAre("auto", "media.runnel.test", "10.0.0.1", "2001:db8::1"));
  EXPECT_EQ(config.log.level, LogLevel::debug);
  EXPECT_EQ(config.log.format, LogFormat::json);
  EXPECT_EQ(config.log.statistics_interval, milliseconds(0));
  EXPECT_EQ(config.limits.relays, 5u);
  EXPECT_EQ(config.limits.receivers_per_relay, 6u);
  EXPECT_EQ(config.limits.media_per_leg, 7u);
  EXPECT_EQ(config.limits.ssrcs_per_leg, 8u);
  EXPECT_EQ(config.limits.replay_window, 128u);
  EXPECT_EQ(config.limits.receive_buffer, 1024u * 1024);
  EXPECT_EQ(config.limits.send_buffer, 65536u);
  EXPECT_EQ(config.limits.retransmission_packets, 256u);
  EXPECT_EQ(config.limits.key_frame_interval, seconds(1));
  EXPECT_EQ(config.limits.report_interval, seconds(5));
  EXPECT_EQ(config.limits.stall, seconds(2));
  EXPECT_EQ(config.limits.hold, seconds(60));
}

TEST(Settings, ReadsTheLimitsOfSignalling) {
  const Limits limits = load(R"(
limits:
  streams: 10
  connections: 11
  connections_per_address: 12
  sessions: 13
  sessions_per_client: 17
  legs_per_session: 14
  rest_legs: 18
  requests_per_second: 15
  client_requests_per_second: 19
  failed_tries: 16
  message: 16MiB
  send_queue: 2MiB
  request_head: 8KiB
  request_body: 64KiB
  header_timeout: 5s
  idle_timeout: 2m
  peers: 20
  connect_timeout: 20s
  consent_timeout: 15s
)")
                            .config.limits;
  EXPECT_EQ(limits.streams, 10u);
  EXPECT_EQ(limits.connections, 11u);
  EXPECT_EQ(limits.connections_per_address, 12u);
  EXPECT_EQ(limits.sessions, 13u);
  EXPECT_EQ(limits.legs_per_session, 14u);
  EXPECT_EQ(limits.sessions_per_client, 17u);
  EXPECT_EQ(limits.rest_legs, 18u);
  EXPECT_EQ(limits.requests_per_second, 15u);
  EXPECT_EQ(limits.client_requests_per_second, 19u);
  EXPECT_EQ(limits.failed_tries, 16u);
  EXPECT_EQ(limits.message, 16u * 1024 * 1024);
  EXPECT_EQ(limits.send_queue, 2u * 1024 * 1024);
  EXPECT_EQ(limits.request_head, 8u * 1024);
  EXPECT_EQ(limits.request_body, 64u * 1024);
  EXPECT_EQ(limits.header_timeout, seconds(5));
  EXPECT_EQ(limits.idle_timeout, seconds(120));
  EXPECT_EQ(limits.peers, 20u);
  EXPECT_EQ(limits.connect_timeout, seconds(20));
  EXPECT_EQ(limits.consent_timeout, seconds(15));
}

TEST(Settings, DefaultsSayWhereTheyComeFrom) {
  const Config config = load("").config;
  EXPECT_EQ(config.media[0].origin.to_string(), "test.yaml: listen.media[0] (default)");
}

TEST(Settings, EmptyListsOpenNothing) {
  const Config config = load("listen: {media: [], signalling: []}").config;
  EXPECT_THAT(config.media, IsEmpty());
  EXPECT_THAT(config.signalling, IsEmpty());
}

TEST(Settings, EachLimitIsHeldAtBothEndsAndItsErrorNamesThem) {
  struct Case {
    const char* key;
    const char* lowest;
    const char* below;
    const char* highest;
    const char* above;
  };
  // `hold` and `stall` are set so that neither contradicts the other.
  const Case cases[] = {
      {"relays", "1", "0", "100000", "100001"},
      {"receivers_per_relay", "1", "0", "100000", "100001"},
      {"media_per_leg", "1", "0", "64", "65"},
      {"ssrcs_per_leg", "1", "0", "4096", "4097"},
      {"replay_window", "64", "0", "32768", "32832"},
      {"receive_buffer", "64KiB", "65535", "1GiB", "1073741825"},
      {"send_buffer", "64KiB", "65535", "1GiB", "1073741825"},
      {"key_frame_interval", "50ms", "49ms", "1m", "60001ms"},
      {"report_interval", "100ms", "99ms", "1m", "60001ms"},
      {"stall", "500ms", "499ms", "10m", "600001ms"},
      {"hold", "1s", "999ms", "24h", "86400001ms"},
      {"streams", "1", "0", "100000", "100001"},
      {"connections", "1", "0", "1000000", "1000001"},
      {"connections_per_address", "1", "0", "1000000", "1000001"},
      {"sessions", "1", "0", "1000000", "1000001"},
      {"legs_per_session", "1", "0", "10000", "10001"},
      {"sessions_per_client", "1", "0", "1000000", "1000001"},
      {"rest_legs", "1", "0", "100000", "100001"},
      {"requests_per_second", "1", "0", "100000", "100001"},
      {"client_requests_per_second", "1", "0", "1000000", "1000001"},
      {"failed_tries", "1", "0", "10000", "10001"},
      {"message", "4KiB", "4095", "64MiB", "67108865"},
      {"send_queue", "64KiB", "65535", "256MiB", "268435457"},
      {"request_head", "1KiB", "1023", "1MiB", "1048577"},
      {"request_body", "4KiB", "4095", "64MiB", "67108865"},
      {"header_timeout", "1s", "999ms", "5m", "300001ms"},
      {"idle_timeout", "1s", "999ms", "1h", "3600001ms"},
      {"peers", "1", "0", "1000000", "1000001"},
      {"connect_timeout", "1s", "999ms", "10m", "600001ms"},
      {"consent_timeout", "5s", "4999ms", "10m", "600001ms"},
  };
  for (const Case& limit : cases) {
    const std::string key = limit.key;
    const std::string other = key == "hold"    ? ", stall: 500ms}"
                              : key == "stall" ? ", hold: 24h}"
                                               : "}";
    for (const char* good : {limit.lowest, limit.highest}) {
      EXPECT_THAT(errors_of("limits: {" + key + ": " + good + other), IsEmpty()) << good;
    }
    for (const char* bad : {limit.below, limit.above}) {
      EXPECT_THAT(errors_of("limits: {" + key + ": " + bad + other),
                  ElementsAre(AllOf(HasSubstr("test.yaml:1: limits." + key + ": '" + bad),
                                    HasSubstr(limit.lowest), HasSubstr(limit.highest))));
    }
  }
}

TEST(Settings, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"limits: {replay_window: 1000}", "is no multiple of 64; use 1024"},
      {"limits: {retransmission_packets: 500}", "is no power of two; use 512"},
      {"limits: {retransmission_packets: 16385}", "'16385' is out of bounds; use 0 to 16384"},
      {"limits: {relays: many}", "'many' is no whole number; use 1 to 100000"},
      {"limits: {stall: 10}", "'10' is no duration with a unit; use 500ms to 10m, such as"},
      {"limits: {send_buffer: big}", "'big' is no size in bytes; use 64KiB to 1GiB, such as"},
      {"limits: {hold: 2s, stall: 3s}", "'hold' is shorter than 'stall'"},
      {"limits: {relays: [1]}", "is a list; write a single value"},
      {"limits: 5", "limits: is a single value; write KEY: VALUE below it; known keys: relays, "},
      {"log: {level: warn}", "log.level: 'warn' is not known here; did you mean 'warning'?"},
      {"log: {level: }", "log.level: has no value; write one, or remove the key"},
      {"log: {format: ''}", "log.format: has no value"},
      {"log: {statistics_interval: 500ms}", "is shorter than a second; use 1s to 24h, or 0"},
      {"announce: '<public address>'", "announce: '<public address>' is a placeholder"},
      {"announce: '0.0.0.0'", "cannot be reached from elsewhere; write auto"},
      {"announce: ['10.0.0.1:7000']", "announce[0]: '10.0.0.1:7000' has a port"},
      {"listen: {media: ['10.0.0.1:7000', '10.0.0.1:7000']}",
       "listen.media[1]: 10.0.0.1:7000 is listed twice"},
      {"listen: {media: ['10.0.0.1:7000', '0.0.0.0:7000']}",
       "10.0.0.1:7000 is part of 0.0.0.0:7000"},
      {"listen: {signalling: ['[::1]:80', '[::1]:80']}", "[::1]:80 is listed twice"},
      {"lisen: {}", "test.yaml:1: unknown key 'lisen'; did you mean 'listen'?"},
  };
  for (const auto& [yaml, expected] : cases) {
    EXPECT_THAT(errors_of(yaml), ElementsAre(HasSubstr(expected))) << yaml;
  }
}

TEST(Settings, WhatManualsPrintForAnAddressIsNotAnnounced) {
  for (const char* text :
       {"YOUR_PUBLIC_IP", "1.2.3.4", "x.x.x.x", "example.com", "media.Example.net",
        "<public address>", "PUBLIC_IP", "your-host.net", "server-ip"}) {
    EXPECT_THAT(errors_of(std::string("announce: [auto, '") + text + "']"),
                ElementsAre(AllOf(HasSubstr("test.yaml:1: announce[1]: '"),
                                  HasSubstr("is a placeholder; write the address or name by which "
                                            "clients reach this machine, or auto"))))
        << text;
  }
  EXPECT_THAT(errors_of("announce: [11.2.3.4, media.runnel.test, myexample.com, 'fd00::1']"),
              IsEmpty());
}

TEST(Settings, AListOfAnnouncedAddressesHasALimit) {
  const auto announced = [](int count) {
    std::string yaml = "announce: [";
    for (int i = 0; i < count; ++i) yaml += "10.0.0." + std::to_string(1 + i) + ", ";
    return yaml + "]";
  };
  EXPECT_THAT(errors_of(announced(16)), IsEmpty());
  EXPECT_THAT(errors_of(announced(17)),
              ElementsAre(HasSubstr("announce: has 17 entries; give at most 16")));
}

TEST(Settings, AListOfListenersHasALimit) {
  const auto listeners = [](int count) {
    std::string yaml = "listen: {media: [";
    for (int i = 0; i < count; ++i) yaml += "\"10.0.0.1:" + std::to_string(1000 + i) + "\", ";
    return yaml + "]}";
  };
  EXPECT_THAT(errors_of(listeners(64)), IsEmpty());
  EXPECT_THAT(errors_of(listeners(65)), ElementsAre(HasSubstr("more than 64 addresses")));
}

TEST(Settings, AllErrorsAreListedInTheOrderOfTheirLines) {
  EXPECT_THAT(errors_of("relays: 5\n"
                        "limits:\n"
                        "  relays: 0\n"
                        "log: {level: loud}\n"
                        "lisen: {}\n"),
              ElementsAre(HasSubstr("test.yaml:1: "), HasSubstr("test.yaml:3: "),
                          HasSubstr("test.yaml:4: "), HasSubstr("test.yaml:5: ")));
}

TEST(Settings, NoMoreThanAHundredErrorsAreListed) {
  const auto unknown_keys = [](int count) {
    std::string yaml;
    for (int i = 0; i < count; ++i) yaml += "zebra" + std::to_string(i) + ": 1\n";
    return yaml;
  };
  EXPECT_THAT(errors_of(unknown_keys(100)), SizeIs(100));
  const auto errors = errors_of(unknown_keys(103));
  ASSERT_THAT(errors, SizeIs(101));
  EXPECT_EQ(errors.back(),
            "test.yaml:100: 3 more errors are not listed; correct the ones above first");
}

}  // namespace
}  // namespace runnel::config
