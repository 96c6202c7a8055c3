#include "tests/peer/peer_world.h"

#include <algorithm>

#include "core/rtp/packet_classifier.h"

namespace runnel::test {
namespace {

/// What the daemon takes in at once.
constexpr std::size_t kBatch = 64;

dtls::Context make_context() {
  auto context = dtls::Context::self_signed();
  return std::move(context).value();
}

}  // namespace

const dtls::Context& server_context() {
  static const dtls::Context context = make_context();
  return context;
}

const dtls::Context& client_context() {
  static const dtls::Context context = make_context();
  return context;
}

Path client_path(std::uint32_t number, std::uint16_t port) {
  const auto byte = [number](unsigned shift) { return static_cast<std::uint8_t>(number >> shift); };
  return {.port = PortIndex{0},
          .remote = {.ip = IpAddress::v4({10, byte(16), byte(8), byte(0)}), .port = port}};
}

PeerWorld::PeerWorld(transport::TransportLimits limits, const dtls::Context& server,
                     const dtls::Context& client)
    : transports(limits, server, random), server_context_(server), client_context_(client) {}

Client& PeerWorld::add(const TestPeerOptions& options) {
  auto client = std::make_unique<Client>(client_context_, random, options);
  client->id = transports.add(now).value();
  client->path = client_path(static_cast<std::uint32_t>(clients.size() + 1));
  return *clients.emplace_back(std::move(client));
}

void PeerWorld::connect(Client& client) {
  static_cast<void>(transports.set_remote(now, client.id, description(client)));
  client.peer.connect(now, server_side(client));
}

Client& PeerWorld::join(const TestPeerOptions& options) {
  Client& client = add(options);
  connect(client);
  return client;
}

RemoteSide PeerWorld::server_side(const Client& client) const {
  return {.ice = transports.local_credentials(client.id),
          .fingerprint = server_context_.fingerprint()};
}

transport::RemoteDescription PeerWorld::description(const Client& client) const {
  return client.peer.description();
}

void PeerWorld::send(const Path& path, Bytes bytes) {
  bytes_up += bytes.size();
  if (loses_up && loses_up(path, bytes)) return;
  network_.emplace(now + delay, Travelling{.path = path, .bytes = std::move(bytes), .up = true});
}

std::optional<DropReason> PeerWorld::deliver(const Path& path, Bytes bytes) {
  transports.begin_turn();
  const auto dropped = handle(path, bytes);
  drain();
  return dropped;
}

void PeerWorld::run_for(Duration duration) {
  const Timestamp end = now + duration;
  for (;;) {
    drain();
    const auto next = next_moment();
    if (!next || *next > end) break;
    now = std::max(now, *next);
    std::vector<Travelling> arrived;
    while (!network_.empty() && network_.begin()->first <= now) {
      Travelling datagram = std::move(network_.begin()->second);
      network_.erase(network_.begin());
      if (!datagram.up) {
        hand_to_client(std::move(datagram));
      } else {
        arrived.push_back(std::move(datagram));
        if (arrived.size() == kBatch) break;
      }
    }
    wake_server(std::move(arrived));
    wake_clients();
  }
  now = end;
}

void PeerWorld::drain() {
  while (const auto datagram = transports.next_datagram()) {
    bytes_down += datagram->bytes.size();
    ++datagrams_down;
    if (loses_down && loses_down(datagram->path, datagram->bytes)) continue;
    network_.emplace(
        now + delay,
        Travelling{.path = datagram->path, .bytes = to_bytes(datagram->bytes), .up = false});
  }
  transports.take_events(events);
  for (const auto& client : clients) send_of(*client);
}

void PeerWorld::wake_server(std::vector<Travelling> arrived) {
  transports.begin_turn();
  for (Travelling& datagram : arrived) {
    if (const auto reason = handle(datagram.path, datagram.bytes)) ++drops[*reason];
  }
  const auto timeout = transports.next_timeout();
  if (timeout && *timeout <= now) transports.handle_timeout(now);
  take_early();
  if (on_turn) on_turn();
}

std::optional<DropReason> PeerWorld::handle(const Path& path, ByteSpan bytes) {
  switch (rtp::classify(bytes)) {
    case rtp::PacketClass::stun:
      return transports.handle_stun(now, path, bytes);
    case rtp::PacketClass::dtls:
      return transports.handle_dtls(now, path, bytes);
    case rtp::PacketClass::rtp:
    case rtp::PacketClass::rtcp:
      return handle_media(path, bytes, true);
    case rtp::PacketClass::other:
      break;
  }
  return DropReason::not_rtp;
}

std::optional<DropReason> PeerWorld::handle_media(const Path& path, ByteSpan bytes, bool may_hold) {
  const auto id = transports.peer_at(path);
  if (!id) return DropReason::unknown_path;
  srtp::Receiver* receiver = transports.receiver(*id);
  if (receiver == nullptr) {
    return may_hold ? transports.hold(path, bytes) : DropReason::before_keys;
  }
  const auto kind = rtp::classify(bytes) == rtp::PacketClass::rtcp ? srtp::PacketKind::rtcp
                                                                   : srtp::PacketKind::rtp;
  if (!receiver->unprotect_in_place(kind, bytes)) return DropReason::authentication_failed;
  transports.note_media(now, *id);
  for (const auto& client : clients) {
    if (client->id == *id) ++client->delivered;
  }
  return std::nullopt;
}

void PeerWorld::take_early() {
  for (const transport::EarlyDatagram& early : transports.take_early()) {
    if (const auto reason = handle_media(early.path, early.bytes, false)) ++drops[*reason];
  }
}

void PeerWorld::wake_clients() {
  for (const auto& client : clients) {
    const auto timeout = client->peer.next_timeout();
    if (timeout && *timeout <= now) client->peer.handle_timeout(now);
  }
}

void PeerWorld::hand_to_client(Travelling datagram) {
  for (const auto& client : clients) {
    if (client->path == datagram.path) client->peer.receive(now, datagram.bytes);
  }
}

void PeerWorld::send_of(Client& client) {
  while (const auto datagram = client.peer.next_datagram()) send(client.path, to_bytes(*datagram));
}

std::optional<Timestamp> PeerWorld::next_moment() {
  std::optional<Timestamp> next = transports.next_timeout();
  const auto consider = [&next](std::optional<Timestamp> when) {
    if (when && (!next || *when < *next)) next = when;
  };
  if (!network_.empty()) consider(network_.begin()->first);
  for (const auto& client : clients) consider(client->peer.next_timeout());
  return next;
}

}  // namespace runnel::test
