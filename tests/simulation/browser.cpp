#include "tests/simulation/browser.h"

#include <gtest/gtest.h>

#include "tests/peer/peer_world.h"

namespace runnel::simulation {
namespace {

using rtp::ExtensionKind;

constexpr std::uint8_t kMid = 1;
constexpr std::uint8_t kRid = 2;
constexpr std::uint8_t kRepairedRid = 3;
constexpr std::uint8_t kTransportWide = 4;

}  // namespace

relay::WebRtcMedium agreed_medium(const std::string& mid, std::vector<std::string> rids) {
  relay::WebRtcMedium medium;
  medium.mid = mid;
  medium.extensions.set(ExtensionKind::mid, kMid);
  medium.extensions.set(ExtensionKind::rid, kRid);
  medium.extensions.set(ExtensionKind::repaired_rid, kRepairedRid);
  medium.extensions.set(ExtensionKind::transport_wide_number, kTransportWide);
  medium.feedback = {.nack = true, .picture_loss = true, .transport_wide = true};
  medium.rids = std::move(rids);
  return medium;
}

void expect_continuous(const Received& got, std::size_t rest) {
  ASSERT_GT(got.in_order.size(), rest);
  const auto end = std::prev(got.in_order.end(), static_cast<std::ptrdiff_t>(rest));
  for (auto here = got.in_order.begin(), next = std::next(here); next != end; here = next++) {
    const auto& [number, picture] = *next;
    const auto& [number_before, before] = *here;
    ASSERT_EQ(number, number_before + 1);
    const auto step = static_cast<std::int32_t>(picture.timestamp - before.timestamp);
    ASSERT_GE(step, 0) << "at " << number;
    if (picture.payload_size == 0 || before.payload_size == 0) continue;
    const unsigned pictures =
        static_cast<unsigned>(picture.picture_id - before.picture_id) & 0x7fffU;
    ASSERT_EQ(pictures, step == 0 ? 0U : 1U) << "at " << number;
  }
}

Browser::Browser(World& world, std::uint16_t number)
    : random(number),
      peer(test::client_context(), random),
      address(peer_address(number, 50'000)),
      world_(world) {
  peer.on_media = [this](srtp::PacketKind kind, ByteView packet) { take(kind, packet); };
  move_to(address);
}

void Browser::move_to(const SocketAddress& to) {
  world_.detach(address);
  address = to;
  world_.attach(address, [this](const SocketAddress&, ByteView bytes) {
    if (silent_) return;
    Bytes copy(bytes.begin(), bytes.end());
    peer.receive(world_.now, copy);
    flush();
  });
}

void Browser::check() {
  peer.check(world_.now);
  flush();
}

void Browser::restart() {
  transport::Transports& transports = *world_.transports;
  peer.restart();
  EXPECT_TRUE(transports.restart(world_.now, id, peer.description()));
  peer.resume(world_.now, transports.local_credentials(id));
  flush();
}

void Browser::go_silent() {
  silent_ = true;
  sending_ = false;
}

void Browser::connect() {
  id = world_.transports->add(world_.now).value();
  static_cast<void>(world_.transports->set_remote(world_.now, id, peer.description()));
  peer.connect(world_.now, {.ice = world_.transports->local_credentials(id),
                            .fingerprint = test::server_context().fingerprint()});
  flush();
}

void Browser::flush() {
  while (const auto datagram = peer.next_datagram()) {
    if (silent_) continue;
    world_.send(address, kPeerPort, Bytes(datagram->begin(), datagram->end()));
  }
  arm();
}

void Browser::arm() {
  const auto next = peer.next_timeout();
  if (!next || (armed_ && *armed_ <= *next && *armed_ > world_.now)) return;
  armed_ = *next;
  world_.at(*next, [this, when = *next] {
    if (armed_ != when) return;
    armed_.reset();
    peer.handle_timeout(world_.now);
    flush();
  });
}

void Browser::take(srtp::PacketKind kind, ByteView packet) {
  if (kind == srtp::PacketKind::rtp) {
    take_rtp(packet);
  } else {
    take_rtcp(packet);
  }
}

relay::SourceLeg Browser::source_leg(std::vector<std::string> rids) const {
  relay::SourceMedium medium;
  medium.name = "video";
  medium.codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
  medium.payload_type = payload_type;
  medium.webrtc = agreed_medium(mid, std::move(rids));
  medium.webrtc->retransmission_payload_type = retransmission_type;
  if (adjust) adjust(*medium.webrtc);
  relay::SourceLeg leg;
  leg.media.push_back(std::move(medium));
  leg.peer = id;
  return leg;
}

relay::ReceiverLeg Browser::receiver_leg(const std::string& own_mid,
                                         relay::LayerWish layers) const {
  relay::ReceiverMedium medium;
  medium.payload_type = payload_type;
  medium.webrtc = agreed_medium(own_mid);
  medium.webrtc->retransmission_payload_type = retransmission_type;
  if (adjust) adjust(*medium.webrtc);
  medium.layers = std::move(layers);
  relay::ReceiverLeg leg;
  leg.media.push_back(std::move(medium));
  leg.peer = id;
  return leg;
}

}  // namespace runnel::simulation
