// Media by TCP on the ports of signalling: told from HTTP and TLS, framed, bounded, let go.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/stun/message_writer.h"
#include "daemon/clock.h"
#include "tests/unit/core/tls/client.h"
#include "tests/unit/daemon/signalling/serving.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

ServingOptions with_ice_tcp() {
  ServingOptions options;
  options.ice_tcp = true;
  return options;
}

std::string text_of(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string framed(const std::string& packet) {
  return text_of(transport::frame_header(packet.size())) + packet;
}

/// A check as a client of `server` sends it.
std::string check(const ice::Credentials& server) {
  std::array<std::uint8_t, 200> buffer{};
  stun::MessageWriter writer(buffer, stun::MessageClass::request, stun::kBinding, {1, 2, 3});
  writer.username(server.ufrag, "client");
  writer.priority(1);
  writer.ice_controlling(7);
  writer.use_candidate();
  writer.message_integrity(crypto::HmacSha1Key(
      {reinterpret_cast<const std::uint8_t*>(server.password.data()), server.password.size()}));
  writer.fingerprint();
  return text_of(writer.finish().value());
}
std::string check_of_nobody() {
  return check({"nobody", "a-password-of-22-letters"});
}

/// As clear RTP; what is in it is nobody's business.
std::string rtp(std::uint32_t timestamp, std::size_t size = 1'200) {
  std::string packet(size, 'x');
  packet[0] = static_cast<char>(0x80);
  packet[1] = 96;
  store_be32(reinterpret_cast<std::uint8_t*>(packet.data()) + 4, timestamp);
  store_be32(reinterpret_cast<std::uint8_t*>(packet.data()) + 8, 1);
  return packet;
}

ByteView view_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_path(Serving& serving, const TcpClient& client) {
  return serving.server().paths()->find({PortIndex{}, client.local_address()}).has_value();
}

/// A client that is a media path, known to nobody.
std::unique_ptr<TcpClient> join(Serving& serving, int receive_buffer = 0) {
  auto client = std::make_unique<TcpClient>(serving.address(), receive_buffer);
  client->send(framed(check_of_nobody()));
  EXPECT_TRUE(serving.run_until([&] { return is_path(serving, *client); }));
  return client;
}

/// By their owners, of what is not sent.
std::vector<SendFailure> send(Serving& serving, const TcpClient& client, const std::string& packet,
                              std::uint32_t owner) {
  const relay::OutgoingDatagram datagram{PortIndex{}, client.local_address(), view_of(packet),
                                         owner};
  const auto failures = serving.server().send(read_clock(), {&datagram, 1});
  return {failures.begin(), failures.end()};
}

TEST(ServerIceTcp, HttpIsServedOnTheSamePort) {
  Serving serving(with_ice_tcp());
  EXPECT_THAT(serving.answer_to(get("/healthz")), EndsWith("ok\n"));
}

TEST(ServerIceTcp, TheEngineGetsEveryPacketHoweverManyComeAtOnce) {
  Serving serving(with_ice_tcp());
  TcpClient client(serving.address());
  std::string stream;
  for (std::size_t i = 0; i < 3 * MediaPaths::kBatch; ++i) stream += framed(check_of_nobody());
  client.send(stream);
  EXPECT_TRUE(serving.run_until(
      [&] { return serving.engine().stray_drops().total() == 3 * MediaPaths::kBatch; }));
  EXPECT_EQ(serving.server().statistics().media_paths, 1u);
}

TEST(ServerIceTcp, PacketsMayComeInPieces) {
  Serving serving(with_ice_tcp());
  TcpClient client(serving.address());
  const std::string stream = framed(check_of_nobody()) + framed(check_of_nobody());
  client.send(stream.substr(0, 1));
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 1; }));
  client.send(stream.substr(1, 60));
  int rounds = 0;
  EXPECT_TRUE(serving.run_until([&] { return ++rounds == 5; }));
  EXPECT_FALSE(is_path(serving, client));
  client.send(stream.substr(61));
  EXPECT_TRUE(serving.run_until([&] { return serving.engine().stray_drops().total() == 2; }));
}

TEST(ServerIceTcp, PacketsThatAreTooLongAreCounted) {
  Serving serving(with_ice_tcp());
  const auto client = join(serving);
  client->send(framed(std::string(kMaxDatagramSize + 1, 'x')));
  EXPECT_TRUE(serving.run_until(
      [&] { return serving.engine().stray_drops()[DropReason::oversized] == 1; }));
}

TEST(ServerIceTcp, WhatBeginsWithNoCheckIsClosed) {
  Serving serving(with_ice_tcp());
  for (const std::string& first : {rtp(0, 100), std::string(30, '\x16'), std::string(20, '\0')}) {
    TcpClient client(serving.address());
    client.send(framed(first) + framed(check_of_nobody()));
    EXPECT_TRUE(serving.run_until_ended(client));
    EXPECT_THAT(client.received(), IsEmpty());
  }
  EXPECT_EQ(serving.engine().stray_drops().total(), 0u) << "nothing of it is looked at";
  EXPECT_THAT(serving.log(), HasSubstr("begins with no STUN request"));
}

TEST(ServerIceTcp, APathOfNobodyIsClosedAfterItsTime) {
  ServingOptions options = with_ice_tcp();
  options.server.connection.http.header_timeout = 50ms;
  Serving serving(std::move(options));
  TcpClient silent(serving.address());
  silent.send(std::string(1, '\0'));
  const auto client = join(serving);
  EXPECT_TRUE(serving.run_until_ended(*client));
  EXPECT_TRUE(serving.run_until_ended(silent));
  EXPECT_EQ(serving.server().statistics().media_paths, 0u);
  EXPECT_THAT(serving.log(), HasSubstr("carries media of no peer"));
}

TEST(ServerIceTcp, APathOfAPeerStays) {
  ServingOptions options = with_ice_tcp();
  options.server.connection.http.header_timeout = 20ms;
  Serving serving(std::move(options));
  const auto peer = serving.transports().add(read_clock()).value();
  const std::string request = check(serving.transports().local_credentials(peer));
  TcpClient client(serving.address());
  // As the engine does it.
  EXPECT_EQ(serving.transports().handle_stun(read_clock(), {PortIndex{}, client.local_address()},
                                             view_of(request)),
            std::nullopt);
  client.send(framed(request));
  EXPECT_TRUE(serving.run_until([&] { return is_path(serving, client); }));
  int rounds = 0;
  EXPECT_TRUE(serving.run_until([&] { return ++rounds == 60; }));
  EXPECT_FALSE(client.has_ended());
  serving.transports().remove(peer);
  EXPECT_TRUE(serving.run_until_ended(client));
}

TEST(ServerIceTcp, PacketsLeaveInFrames) {
  Serving serving(with_ice_tcp());
  const auto client = join(serving);
  EXPECT_THAT(send(serving, *client, "one", 1), IsEmpty());
  EXPECT_THAT(send(serving, *client, "another", 2), IsEmpty());
  serving.server().settle({read_clock(), 0});
  EXPECT_TRUE(serving.run_until_received(*client, framed("one") + framed("another")));
}

TEST(ServerIceTcp, WhatGoesToAPathThatIsGoneMeetsAClosedConnection) {
  Serving serving(with_ice_tcp());
  const auto client = join(serving);
  const SocketAddress address = client->local_address();
  client->close();
  EXPECT_TRUE(serving.run_until([&] { return serving.server().paths()->size() == 0; }));
  const std::string packet = rtp(0);
  const relay::OutgoingDatagram datagram{PortIndex{}, address, view_of(packet), 5};
  const auto failures = serving.server().send(read_clock(), {&datagram, 1});
  EXPECT_THAT(std::vector(failures.begin(), failures.end()),
              testing::ElementsAre(SendFailure{5, DropReason::connection_closed}));
}

TEST(ServerIceTcp, WhoReadsSlowlyMissesThePastAndGetsThePresent) {
  Serving serving(with_ice_tcp());
  const auto client = join(serving, /*receive_buffer=*/4'096);
  std::size_t dropped = 0;
  for (std::uint32_t i = 0; i < 4'000; ++i) {
    for (const SendFailure& failure : send(serving, *client, rtp(i), i)) {
      EXPECT_EQ(failure.reason, DropReason::slow_reader);
      ++dropped;
    }
  }
  EXPECT_GT(dropped, 1'000u);
  serving.server().settle({read_clock(), 0});
  // Now it reads: what comes is whole packets, and soon a new one.
  std::string stream;
  std::uint32_t newest = 4'000;
  EXPECT_TRUE(serving.run_until([&] {
    if (stream.size() > 8 * 1024 * 1024) return true;
    stream += client->take();
    static_cast<void>(send(serving, *client, rtp(newest), newest));
    serving.server().settle({read_clock(), 0});
    ++newest;
    return stream.find(rtp(4'050)) != std::string::npos;
  }));
  EXPECT_LT(stream.size(), 4u * 1024 * 1024) << "of the 4.8 MB before";
  transport::FrameReader reader(kMaxDatagramSize);
  ByteView bytes = view_of(stream);
  while (const auto frame = reader.next(bytes)) ASSERT_EQ(frame->packet.size(), 1'200u);
}

TEST(ServerIceTcp, ComesInTheClearWhereTlsIsSpoken) {
  ServingOptions options = with_ice_tcp();
  const auto key = tls::make_ec_key();
  const auto certificate = tls::make_certificate(*key, tls::CertificateOptions{});
  options.server.tls =
      tls::ServerContext::create(tls::pem_of(*certificate), tls::pem_of(*key), tls::kNow).value();
  Serving serving(std::move(options));
  const auto client = join(serving);
  EXPECT_THAT(send(serving, *client, "hello", 1), IsEmpty());
  serving.server().settle({read_clock(), 0});
  EXPECT_TRUE(serving.run_until_received(*client, framed("hello")));
}

TEST(ServerIceTcp, IsNotThereWhenItIsNotWanted) {
  Serving serving;
  TcpClient client(serving.address());
  client.send(framed(check_of_nobody()));
  EXPECT_TRUE(serving.run_until_ended(client));
  EXPECT_EQ(serving.engine().stray_drops().total(), 0u);
}

}  // namespace
}  // namespace runnel::daemon
