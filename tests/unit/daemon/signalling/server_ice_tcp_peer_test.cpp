// A peer that connects by TCP alone: checks, handshake, and what is known of it afterwards.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/clock.h"
#include "tests/peer/test_peer.h"
#include "tests/unit/daemon/signalling/serving.h"

namespace runnel::daemon {
namespace {

using testing::HasSubstr;

/// A peer at the end of a TCP connection.
class TcpPeer {
 public:
  explicit TcpPeer(Serving& serving)
      : tcp(serving.address()),
        id(serving.transports().add(read_clock()).value()),
        peer(certificate_, random_) {
    EXPECT_TRUE(serving.transports().set_remote(read_clock(), id, peer.description()));
    peer.connect(read_clock(),
                 {serving.transports().local_credentials(id), serving.certificate().fingerprint()});
  }

  /// Moves what there is to move.
  void poll() {
    const std::string stream = tcp.take();
    ByteView input(reinterpret_cast<const std::uint8_t*>(stream.data()), stream.size());
    while (const auto frame = reader_.next(input)) {
      std::vector<std::uint8_t> packet(frame->packet.begin(), frame->packet.end());
      packet.reserve(packet.size() + 256);
      peer.receive(read_clock(), packet);
    }
    if (const auto due = peer.next_timeout(); due && read_clock() >= *due) {
      peer.handle_timeout(read_clock());
    }
    while (const auto datagram = peer.next_datagram()) {
      const auto header = transport::frame_header(datagram->size());
      tcp.send({reinterpret_cast<const char*>(header.data()), header.size()});
      tcp.send({reinterpret_cast<const char*>(datagram->data()), datagram->size()});
    }
  }
  [[nodiscard]] Path path() const { return {PortIndex{}, tcp.local_address()}; }

 private:
  SystemRandom random_;
  dtls::Context certificate_ = dtls::Context::self_signed().value();
  transport::FrameReader reader_{kMaxDatagramSize};

 public:
  TcpClient tcp;
  transport::PeerId id;
  test::TestPeer peer;
};

bool run_until_connected(Serving& serving, TcpPeer& client) {
  return serving.run_until([&] {
    client.poll();
    return client.peer.is_connected() && serving.transports().destination(client.id).has_value();
  });
}

ServingOptions with_ice_tcp() {
  ServingOptions options;
  options.ice_tcp = true;
  return options;
}

TEST(ServerIceTcpPeer, ConnectsByTcpAlone) {
  Serving serving(with_ice_tcp());
  TcpPeer client(serving);
  ASSERT_TRUE(run_until_connected(serving, client));
  EXPECT_EQ(serving.transports().destination(client.id), client.path());
  EXPECT_EQ(serving.transports().counts().handshakes, 1u);
  int rounds = 0;
  EXPECT_TRUE(serving.run_until([&] { return ++rounds == 5; }));
  const std::string log = serving.log();
  EXPECT_THAT(log, HasSubstr("is connected from " + client.tcp.local_address().to_string() +
                             " by TCP, under "));
}

TEST(ServerIceTcpPeer, LosesItsPathWithItsConnection) {
  Serving serving(with_ice_tcp());
  TcpPeer client(serving);
  ASSERT_TRUE(run_until_connected(serving, client));
  const Path path = client.path();
  client.tcp.close();
  EXPECT_TRUE(serving.run_until([&] { return !serving.transports().peer_at(path); }));
  EXPECT_EQ(serving.server().statistics().media_paths, 0u);
}

TEST(ServerIceTcpPeer, HearsThatItIsRemoved) {
  Serving serving(with_ice_tcp());
  TcpPeer client(serving);
  ASSERT_TRUE(run_until_connected(serving, client));
  serving.transports().remove(client.id);
  client.peer.check(read_clock());  // which wakes the server up
  EXPECT_TRUE(serving.run_until([&] {
    client.poll();
    return client.peer.is_closed();
  }));
}

}  // namespace
}  // namespace runnel::daemon
