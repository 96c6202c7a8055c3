#include "tests/peer/test_peer.h"

#include <algorithm>
#include <array>

#include "core/base/packet_slab.h"
#include "core/rtp/packet_classifier.h"

namespace runnel::test {

TestPeer::TestPeer(const dtls::Context& context, RandomSource& random, TestPeerOptions options)
    : context_(context), options_(options), agent_(random, options.checking) {}

transport::RemoteDescription TestPeer::description() const {
  return {.ice = agent_.local(),
          .fingerprints = {context_.fingerprint()},
          .role = options_.role == dtls::Role::active ? transport::DtlsRole::passive
                                                      : transport::DtlsRole::active};
}

void TestPeer::connect(Timestamp now, const RemoteSide& remote) {
  remote_fingerprint_ = remote.fingerprint;
  agent_.start(now, remote.ice, outgoing_);
}

void TestPeer::receive(Timestamp now, ByteSpan datagram) {
  if (gone_) return;
  switch (rtp::classify(datagram)) {
    case rtp::PacketClass::stun:
      agent_.receive(now, datagram, outgoing_);
      begin_when_nominated(now);
      break;
    case rtp::PacketClass::dtls:
      if (!dtls_) open(now);
      dtls_->receive(now, datagram);
      collect();
      break;
    case rtp::PacketClass::rtp:
      receive_media(srtp::PacketKind::rtp, datagram);
      break;
    case rtp::PacketClass::rtcp:
      receive_media(srtp::PacketKind::rtcp, datagram);
      break;
    case rtp::PacketClass::other:
      ++faults_;
  }
}

void TestPeer::handle_timeout(Timestamp now) {
  if (gone_) return;
  agent_.handle_timeout(now, outgoing_);
  if (!dtls_) return;
  dtls_->handle_timeout(now);
  collect();
}

std::optional<Timestamp> TestPeer::next_timeout() const noexcept {
  if (gone_) return std::nullopt;
  const auto check = agent_.next_timeout();
  const auto flight = dtls_ ? dtls_->next_timeout() : std::nullopt;
  if (!check || !flight) return check ? check : flight;
  return std::min(*check, *flight);
}

std::optional<ByteView> TestPeer::next_datagram() {
  if (outgoing_.empty()) return std::nullopt;
  present_ = std::move(outgoing_.front());
  outgoing_.pop_front();
  return present_;
}

bool TestPeer::send(srtp::PacketKind kind, ByteView packet) {
  if (!sender_) return false;
  std::array<std::uint8_t, kPacketCapacity> room;
  if (packet.size() > room.size()) return false;
  copy_bytes(room, packet);
  const auto size = sender_->protect_in_place(kind, room, packet.size());
  if (!size) return false;
  outgoing_.push_back(to_bytes(ByteView(room).first(*size)));
  return true;
}

void TestPeer::close() {
  if (dtls_) {
    dtls_->close();
    collect();
  }
  gone_ = true;
}

void TestPeer::vanish() noexcept {
  outgoing_.clear();
  gone_ = true;
}

bool TestPeer::is_closed() const noexcept {
  return dtls_ && dtls_->state() == dtls::State::closed_by_peer;
}

void TestPeer::open(Timestamp now) {
  dtls_.emplace(context_, dtls::AssociationOptions{.role = options_.role});
  dtls_->expect({&remote_fingerprint_, 1});
  dtls_->start(now);
}

void TestPeer::begin_when_nominated(Timestamp now) {
  if (dtls_ || options_.role != dtls::Role::active || !agent_.is_nominated()) return;
  open(now);
  collect();
}

void TestPeer::collect() {
  while (const auto datagram = dtls_->next_datagram()) outgoing_.push_back(to_bytes(*datagram));
  if (sender_) return;
  if (const auto keys = dtls_->keys()) {
    receiver_.emplace(keys->remote, srtp::ReceiverOptions{.max_ssrcs = options_.max_ssrcs});
    sender_.emplace(keys->local, srtp::SenderOptions{.max_ssrcs = options_.max_ssrcs});
  }
}

void TestPeer::receive_media(srtp::PacketKind kind, ByteSpan datagram) {
  const auto size =
      receiver_ ? receiver_->unprotect_in_place(kind, datagram) : std::unexpected(srtp::Error{});
  if (!size) {
    ++faults_;
    return;
  }
  ++(kind == srtp::PacketKind::rtp ? rtp_received_ : rtcp_received_);
  if (on_media) on_media(kind, datagram.first(*size));
}

}  // namespace runnel::test
