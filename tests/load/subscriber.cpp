#include "tests/load/subscriber.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include "core/rtp/rtp_packet.h"
#include "tests/load/http_request.h"
#include "tests/load/session_description.h"
#include "tests/load/socket_address.h"

namespace runnel::load {

Subscriber::Subscriber(const dtls::Context& context, RandomSource& random)
    : context_(context), peer_(context, random) {
  peer_.on_media = [this](srtp::PacketKind kind, ByteView packet) {
    if (kind == srtp::PacketKind::rtp) take(now_, packet);
  };
}

std::expected<void, std::string> Subscriber::join(const SocketAddress& server,
                                                  const std::string& stream) {
  joined_ = now_ = read_clock();
  const std::string offer = write_offer(peer_.description().ice, context_.fingerprint());
  const auto response = request(server, "POST", "/whep/" + stream, offer);
  if (!response) return std::unexpected(response.error());
  if (response->status != 201) {
    return std::unexpected(std::to_string(response->status) + " " + response->body);
  }
  resource_ = response->location;
  const auto answer = read_answer(response->body);
  if (!answer) return std::unexpected(answer.error());
  const SystemAddress address(answer->address);
  socket_.emplace(::socket(address.family(), SOCK_DGRAM | SOCK_NONBLOCK, 0));
  const int room = 1 << 20;
  ::setsockopt(socket_->get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (::connect(socket_->get(), address.get(), address.size()) != 0) {
    return std::unexpected(std::string("connect: ") + std::strerror(errno));
  }
  peer_.connect(read_clock(), answer->remote);
  send();
  return {};
}

void Subscriber::receive(Timestamp now) {
  now_ = now;
  std::array<std::uint8_t, 2048> datagram;
  while (true) {
    const ssize_t size = ::recv(socket_->get(), datagram.data(), datagram.size(), 0);
    if (size < 0) break;
    peer_.receive(now, ByteSpan(datagram).first(static_cast<std::size_t>(size)));
  }
  send();
}

void Subscriber::handle_timeout(Timestamp now) {
  peer_.handle_timeout(now);
  send();
}

void Subscriber::leave(const SocketAddress& server) {
  if (!resource_.empty()) static_cast<void>(request(server, "DELETE", resource_, {}));
}

std::uint64_t Subscriber::missing() const noexcept {
  std::uint64_t missing = 0;
  for (const auto& [ssrc, line] : lines_) {
    const std::uint64_t expected = *line.positions.highest() - line.first + 1;
    missing += expected - std::min(expected, line.packets);
  }
  return missing;
}

std::optional<Duration> Subscriber::first_packet_after() const noexcept {
  if (!first_packet_) return std::nullopt;
  return *first_packet_ - joined_;
}

void Subscriber::take(Timestamp now, ByteView packet) {
  const auto view = rtp::RtpPacketView::parse(packet);
  if (!view) return;
  if (!first_packet_) first_packet_ = now;
  Line& line = lines_[view->ssrc()];
  const std::uint64_t position = line.positions.unwrap(view->sequence_number());
  if (line.packets++ == 0) line.first = position;
  line.first = std::min(line.first, position);
}

void Subscriber::send() {
  while (const auto datagram = peer_.next_datagram()) {
    static_cast<void>(::send(socket_->get(), datagram->data(), datagram->size(), 0));
  }
}

}  // namespace runnel::load
