// Relays side by side: local ports, destinations, circles.
#include <gtest/gtest.h>

#include "config/check_relays.h"
#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A plain relay in four lines; `media` is its source's list, `to` the list of its receivers.
std::string relay(const std::string& stream, const std::string& media, const std::string& to) {
  return "  - stream: " + stream + "\n    from: {rtp: {allow: 10.0.0.1, media: [" + media +
         "]}}\n    to: [" + to + "]\n";
}

std::string video(const std::string& listen, const std::string& more = "") {
  return "{kind: video, payload_type: 96, codec: VP8/90000, listen: \"" + listen + "\"" + more +
         "}";
}

std::string to(const std::string& send, const std::string& more = "") {
  return "{rtp: {media: {kind: video, send: \"" + send + "\"" + more + "}}}";
}

const std::string kMux = ", rtcp_mux: true";

TEST(Ports, TwoSourcesOnOnePortAreRefused) {
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"), to("10.0.0.2:6000")) +
                relay("b", video("0.0.0.0:5004"), to("10.0.0.2:6002"))),
      ElementsAre("test.yaml:6: relays[1].from.rtp.media[0].listen: 0.0.0.0:5004 is already "
                  "used in line 3 by another leg; what arrives there could not be told "
                  "apart; use a port that nothing else uses"));
}

TEST(Ports, NeighbouringPortsCollideThroughRtcp) {
  const auto two = [](const std::string& more) {
    return "relays:\n" + relay("a", video("0.0.0.0:5004", more), to("10.0.0.2:6000")) +
           relay("b", video("0.0.0.0:5005", kMux), to("10.0.0.2:6002"));
  };
  EXPECT_THAT(errors_of(two("")), ElementsAre(HasSubstr("0.0.0.0:5005 is already used in line 3")));
  EXPECT_THAT(errors_of(two(kMux)), IsEmpty());
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004") + ", " + video("0.0.0.0:5005"),
                                    to("10.0.0.2:6000"))),
      ElementsAre(HasSubstr("0.0.0.0:5005 is already used in line 3, which receives RTCP "
                            "there; leave two ports to each medium, or add rtcp_mux: true")));
}

TEST(Ports, MediaOfOneLegShareAPortByPayloadType) {
  const std::string audio =
      "{kind: audio, payload_type: 97, codec: opus/48000/2, listen: \"0.0.0.0:5004\"}";
  EXPECT_THAT(errors_of("relays:\n" +
                        relay("a", video("0.0.0.0:5004") + ", " + audio, to("10.0.0.2:6000"))),
              IsEmpty());
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004") + ", " + video("0.0.0.0:5004"),
                                    to("10.0.0.2:6000"))),
      ElementsAre(HasSubstr("payload type 96 on 0.0.0.0:5004 is already the medium in line 3")));
}

TEST(Ports, TheSharedPortBelongsToReceiversAlone) {
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:7000", kMux), to("10.0.0.2:6000"))),
              ElementsAre(HasSubstr("0.0.0.0:7000 is the shared port of listen.media by default")));
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:6998"), to("10.0.0.2:6000"))),
              IsEmpty());
  EXPECT_THAT(
      errors_of("listen: {media: \"0.0.0.0:6999\"}\nrelays:\n" +
                relay("a", video("0.0.0.0:6998"), to("10.0.0.2:6000"))),
      ElementsAre(HasSubstr("0.0.0.0:6999 (for RTCP, the port after RTP) is the shared port "
                            "of listen.media in line 1")));
}

TEST(Ports, AnAddressAndTheWildcardCannotBothBeBound) {
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"), to("10.0.0.2:6000")) +
                        relay("b", video("127.0.0.1:5004"), to("10.0.0.2:6002"))),
              ElementsAre("test.yaml:6: relays[1].from.rtp.media[0].listen: 127.0.0.1:5004 is part "
                          "of 0.0.0.0:5004, which is listened on in line 3; use another port, or "
                          "name one address in both places"));
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"), to("10.0.0.2:6000")) +
                        relay("b", video("[::]:5004"), to("10.0.0.2:6002"))),
              IsEmpty())
      << "each family has its own ports";
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("10.0.0.1:7000", kMux), to("10.0.0.2:6000"))),
      ElementsAre(HasSubstr("10.0.0.1:7000 is part of 0.0.0.0:7000, which is listened on by "
                            "default")));
}

TEST(Ports, TwoOutputsToOneDestinationAreRefused) {
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                    to("10.0.0.2:6000") + ", " + to("10.0.0.2:6000"))),
      ElementsAre("test.yaml:4: relays[0].to[1].rtp.media.send: 10.0.0.2:6000 is already the "
                  "destination in line 4, from the same local port 0.0.0.0:7000; the "
                  "receiver's reports could not be told apart; send to another port, or give "
                  "one of the two its own 'listen'"));
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                            to("10.0.0.2:6000") + ", " +
                                                to("10.0.0.2:6000", ", listen: \"0.0.0.0:5010\""))),
              IsEmpty());
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                            to("cam.lan:6000") + ", " + to("cam.lan:6001", kMux))),
              ElementsAre(HasSubstr("cam.lan:6001 is already the destination in line 4")));
}

TEST(Ports, OneLegMayBundleItsMediaOnOneDestination) {
  const auto bundle = [](const std::string& second) {
    return "relays:\n" +
           relay("a", video("0.0.0.0:5004"),
                 "{rtp: {media: [{kind: video, send: \"10.0.0.2:6000\"}, {kind: video, send: " +
                     second + "}]}}");
  };
  EXPECT_THAT(errors_of(bundle("\"10.0.0.2:6000\", payload_type: 97")), IsEmpty());
  EXPECT_THAT(errors_of(bundle("\"10.0.0.2:6000\"")),
              ElementsAre(HasSubstr("with the same payload type 96")));
  EXPECT_THAT(
      errors_of(bundle("\"10.0.0.2:6001\", rtcp_mux: true")),
      ElementsAre(HasSubstr("10.0.0.2:6001 is already the destination in line 4, of RTCP")));
}

TEST(Ports, ReceiversWithKnownAddressesMayShareAPort) {
  const std::string own = ", listen: \"0.0.0.0:5010\"";
  const std::string default_port = ", rtcp_mux: true, listen: \"0.0.0.0:7000\"";
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                    to("10.0.0.2:6000", own) + ", " + to("10.0.0.3:6000", own) +
                                        ", " + to("10.0.0.4:6000", default_port))),
      IsEmpty());
  EXPECT_THAT(
      errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                    to("10.0.0.2:6000", own) + ", " + to("10.0.0.2:6000", own))),
      ElementsAre(HasSubstr("10.0.0.2:6000 is already the destination in line 4, from the "
                            "same local port 0.0.0.0:5010")));
  EXPECT_THAT(errors_of("relays:\n" +
                        relay("a", video("0.0.0.0:5004"),
                              to("10.0.0.2:6000") + ", " + to("10.0.0.2:6000", default_port))),
              ElementsAre(HasSubstr("from the same local port 0.0.0.0:7000")));
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5010"), to("10.0.0.2:6000", own))),
              ElementsAre(HasSubstr("0.0.0.0:5010 is already used in line 3 by another leg")));
}

TEST(Ports, LatchedLegsHaveAPortEach) {
  const auto latched = [](const std::string& port) {
    return "{rtp: {latch: first, allow: 10.0.0.0/8, media: {kind: video, listen: \"0.0.0.0:" +
           port + "\"}}}";
  };
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                            latched("5010") + ", " + latched("5012"))),
              IsEmpty());
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"),
                                            latched("5010") + ", " + latched("5010"))),
              ElementsAre(HasSubstr("0.0.0.0:5010 is already used in line 4 by another leg")));
}

TEST(Ports, AnOutputThatFeedsItsOwnSourceIsRefused) {
  const auto looped = [](const std::string& listen, const std::string& send) {
    return errors_of("relays:\n" + relay("a", video(listen), to(send)));
  };
  const auto circles =
      ElementsAre(AllOf(StartsWith("test.yaml:4: relays[0].to[0].rtp.media.send: "),
                        HasSubstr("media would go in circles")));
  EXPECT_THAT(looped("0.0.0.0:5004", "127.0.0.1:5004"), circles);
  EXPECT_THAT(looped("10.0.0.1:5004", "10.0.0.1:5004"), circles);
  EXPECT_THAT(looped("[::]:5004", "[::1]:5004"), circles);
  EXPECT_THAT(looped("0.0.0.0:5004", "127.0.0.1:5006"), IsEmpty());
  EXPECT_THAT(looped("0.0.0.0:5004", "10.0.0.2:5004"), IsEmpty());
}

TEST(Ports, TenThousandReceiversAreCheckedInNoTime) {
  std::string receivers;
  for (int i = 0; i < 10'000; ++i) {
    receivers += (i == 0 ? "" : ",\n") + to("10.0." + std::to_string(i / 250) + "." +
                                            std::to_string(i % 250 + 1) + ":6000");
  }
  EXPECT_THAT(errors_of("relays:\n" + relay("a", video("0.0.0.0:5004"), receivers)), IsEmpty());
}

/// The problems of a relay that has `count` receivers with a local port of their own each, beside
/// its source's one.
std::vector<std::string> problems_with_ports(std::size_t count) {
  Config config;
  config.media.clear();
  Relay relay;
  SourceMedium source;
  source.listen.address = SocketAddress::parse("10.0.0.1:5004").value();
  source.rtcp_mux = true;
  relay.from.media.push_back(source);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint8_t>(i);
    const auto block = static_cast<std::uint8_t>(i / 256);
    const auto network = static_cast<std::uint8_t>(i / 65'536);
    const IpAddress address = IpAddress::v4({10, network, block, number});
    ReceiverMedium medium;
    medium.rtcp_mux = true;
    medium.send = Endpoint{.host = "10.0.0.2", .port = 6000, .origin = {}};
    medium.listen = Listen{{address, 5010}, {"test.yaml", static_cast<int>(i) + 10, "listen"}};
    relay.to.emplace_back().media.push_back(medium);
  }
  config.relays.push_back(std::move(relay));
  ProblemList problems("test.yaml");
  check_ports(config, problems);
  return lines(problems.take_errors());
}

TEST(Ports, AreNumberedIn16Bits) {
  EXPECT_THAT(problems_with_ports(kMostLocalPorts - 1), IsEmpty());
  EXPECT_THAT(problems_with_ports(kMostLocalPorts + 1),
              ElementsAre(AllOf(StartsWith("test.yaml:65480: listen: is one local port more than "
                                           "the 65471 that one runneld can have; let receivers"))));
}

}  // namespace
}  // namespace runnel::config
