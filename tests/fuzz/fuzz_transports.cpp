// Anything from anywhere to peers in every state: what an input does, byte by byte, is told apart
// as on a port, mixed with authentic checks, time, restarts and removals.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "core/base/byte_reader.h"
#include "core/rtp/packet_classifier.h"
#include "core/transport/transports.h"
#include "tests/peer/checking_agent.h"
#include "tests/peer/peer_world.h"

namespace {

using namespace runnel;
using namespace std::chrono_literals;

//  +--------+--------+--------+--------+---------------+
//  | what   | path   | length          | datagram ...  |   `length` modulo 2048
//  +--------+--------+--------+--------+---------------+

constexpr transport::TransportLimits kLimits{.peers = 4,
                                             .paths_per_peer = 3,
                                             .datagrams_per_turn = 2,
                                             .waiting_datagrams = 8,
                                             .waiting_per_peer = 4,
                                             .early_packets = 2,
                                             .early_packets_in_all = 4,
                                             .outgoing_datagrams = 16,
                                             .events = 8};

class Session {
 public:
  Session() : transports_(kLimits, test::server_context(), random_), agent_(random_, {}) {}

  void act(std::uint8_t what, std::uint8_t path_number, ByteView bytes) {
    const Path path = test::client_path(path_number % 6u);
    const std::size_t index = path_number % 4u;
    switch (what % 8) {
      case 0:
        peers_[index] = peers_[index] ? peers_[index] : transports_.add(now_);
        break;
      case 1:
        if (peers_[index]) send_authentic_check(*peers_[index], path, what >= 128);
        break;
      case 2:
        if (peers_[index]) describe(*peers_[index], what >= 128);
        break;
      case 3:
        if (peers_[index]) restart(*peers_[index], what >= 128);
        break;
      case 4:
        if (peers_[index]) transports_.remove(*std::exchange(peers_[index], std::nullopt));
        break;
      case 5:
        now_ += bytes.size() * 37ms;
        transports_.begin_turn();
        transports_.handle_timeout(now_);
        break;
      case 6:
        transports_.handle_closed_path(now_, path);
        break;
      default:
        take(path, bytes);
    }
    drain();
  }

 private:
  void send_authentic_check(transport::PeerId peer, const Path& path, bool nominates) {
    agent_.start(now_, transports_.local_credentials(peer), ignored_);
    static_cast<void>(transports_.handle_stun(now_, path, agent_.make_check(nominates)));
    ignored_.clear();
  }

  transport::RemoteDescription description(bool active) const {
    return {.ice = agent_.local(),
            .fingerprints = {test::client_context().fingerprint()},
            .role = active ? transport::DtlsRole::active : transport::DtlsRole::passive};
  }
  void describe(transport::PeerId peer, bool active) {
    static_cast<void>(transports_.set_remote(now_, peer, description(active)));
  }
  void restart(transport::PeerId peer, bool active) {
    static_cast<void>(transports_.restart(now_, peer, description(active)));
  }

  void take(const Path& path, ByteView bytes) {
    const bool is_known = transports_.peer_at(path).has_value();
    transports_.begin_turn();
    switch (rtp::classify(bytes)) {
      case rtp::PacketClass::stun:
        static_cast<void>(transports_.handle_stun(now_, path, bytes));
        break;
      case rtp::PacketClass::dtls:
        static_cast<void>(transports_.handle_dtls(now_, path, bytes));
        break;
      case rtp::PacketClass::rtp:
      case rtp::PacketClass::rtcp:
        static_cast<void>(transports_.hold(path, bytes));
        break;
      case rtp::PacketClass::other:
        break;
    }
    // An input cannot know the passwords.
    if (!is_known && transports_.peer_at(path)) std::abort();
  }

  void drain() {
    while (transports_.next_datagram()) {
    }
    for (const transport::EarlyDatagram& early : transports_.take_early()) {
      std::ranges::fill(early.bytes, std::uint8_t{0});
    }
    std::vector<transport::Event> events;
    transports_.take_events(events);
    const auto counts = transports_.counts();
    if (counts.paths > kLimits.peers * kLimits.paths_per_peer) std::abort();
    if (counts.waiting_datagrams > kLimits.waiting_datagrams) std::abort();
  }

  test::SeededRandom random_{1};
  Timestamp now_{std::chrono::hours(1)};
  transport::Transports transports_;
  test::CheckingAgent agent_;
  test::Datagrams ignored_;
  std::array<std::optional<transport::PeerId>, 4> peers_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Session session;
  ByteReader reader({data, size});
  while (reader.remaining() >= 4) {
    const std::uint8_t what = reader.u8().value();
    const std::uint8_t path = reader.u8().value();
    const std::size_t length =
        std::min<std::size_t>(reader.u16().value() % 2048, reader.remaining());
    session.act(what, path, reader.take(length).value());
  }
  return 0;
}
