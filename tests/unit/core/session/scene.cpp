// The daemon's part in tests of the desk: drain, deliver, take events and output.
#include "scene.h"

#include <algorithm>
#include <iterator>

namespace runnel::session {
namespace {

std::optional<Timestamp> earlier(std::optional<Timestamp> a, std::optional<Timestamp> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

DeskSettings with_webrtc(DeskSettings settings, transport::Transports& transports) {
  settings.webrtc.transports = &transports;
  settings.webrtc.fingerprint = server_context().fingerprint();
  return settings;
}

}  // namespace

const dtls::Context& server_context() {
  static const dtls::Context kContext = dtls::Context::self_signed().value();
  return kContext;
}

Scene::Scene(SceneOptions options)
    : transports(options.transports, server_context(), random),
      engine(options.engine, random, &transports),
      authenticator(std::move(options.auth)),
      desk((engine.add_shared_port(kMediaPort),
            options.has_webrtc ? with_webrtc(std::move(options.settings), transports)
                               : std::move(options.settings)),
           authenticator, engine, random) {
  moment.now = Timestamp{} + std::chrono::hours(1);
  moment.unix_microseconds = kStart * 1'000'000;
}

void Scene::advance(Duration duration) {
  const Timestamp target = moment.now + duration;
  const auto move_to = [this](Timestamp when) {
    if (when <= moment.now) return;
    moment.unix_microseconds +=
        std::chrono::duration_cast<std::chrono::microseconds>(when - moment.now).count();
    moment.now = when;
  };
  while (const auto next = next_timeout()) {
    if (*next > target) break;
    move_to(*next);
    for (const auto& [address, host] : std::map(hosts)) host->handle_timeout();
    engine.handle_timeout(moment.now);
    settle();
    desk.handle_timeout(moment);
    settle();
  }
  move_to(target);
}

void Scene::deliver(const relay::OutgoingMessage& message) {
  const auto connection = desk.connection_of(message);
  if (!connection) return;
  Mailbox& mailbox = mailboxes[*connection];
  auto prepared = desk.prepare(moment, message, mailbox.room);
  while (prepared) {
    Bytes bytes(prepared->header.begin(),
                prepared->header.begin() + static_cast<std::ptrdiff_t>(prepared->header_size));
    bytes.insert(bytes.end(), prepared->payload.begin(), prepared->payload.end());
    mailbox.media.push_back(std::move(bytes));
    prepared = desk.prepare_next(mailbox.room);
  }
}

std::optional<Timestamp> Scene::next_timeout() const {
  auto next = earlier(engine.next_timeout(), desk.next_timeout());
  for (const auto& [address, host] : hosts) next = earlier(next, host->next_timeout());
  return next;
}

void Scene::settle() {
  drain();
  take_output();
  // What hosts send in return comes here again.
  if (std::exchange(is_delivering_, true)) return;
  while (!in_flight_.empty()) {
    Datagram datagram = std::move(in_flight_.front());
    in_flight_.pop_front();
    const auto host = hosts.find(datagram.destination);
    if (host != hosts.end()) host->second->receive(datagram.bytes);
  }
  is_delivering_ = false;
}

void Scene::drain() {
  std::vector<relay::Event> events;
  std::vector<transport::Event> peer_events;
  do {
    while (engine.drain(outbox)) {
      for (const relay::OutgoingDatagram& datagram : outbox.datagrams()) {
        Datagram sent{datagram.destination, Bytes(datagram.bytes.begin(), datagram.bytes.end())};
        if (hosts.contains(datagram.destination)) {
          in_flight_.push_back(std::move(sent));
        } else {
          datagrams.push_back(std::move(sent));
        }
      }
      for (const relay::OutgoingMessage& message : outbox.messages()) deliver(message);
    }
    events.clear();
    peer_events.clear();
    engine.take_events(events);
    engine.take_peer_events(peer_events);
    if (!events.empty()) desk.handle_events(moment, events);
    if (!peer_events.empty()) desk.handle_peer_events(moment, peer_events);
  } while (!events.empty() || !peer_events.empty());
}

void Scene::take_output() {
  Output output;
  desk.take_output(output);
  for (OutgoingText& text : output.texts) {
    Mailbox& mailbox = mailboxes[text.connection];
    mailbox.texts.push_back(Json::parse(text.text));
    mailbox.raw_texts.push_back(std::move(text.text));
  }
  for (Closing& closing : output.closings) mailboxes[closing.connection].closing = closing;
  std::ranges::move(output.notices, std::back_inserter(notices));
  std::ranges::move(output.resource_events, std::back_inserter(resource_events));
}

void Scene::receive_datagram(const SocketAddress& from, Bytes bytes) {
  bytes.reserve(kPacketCapacity);
  const relay::IncomingDatagram datagram{.port = kMediaPort, .remote = from, .bytes = bytes};
  engine.handle_datagrams(moment.now, {&datagram, 1});
  settle();
}

RestAnswer Scene::rest(std::string_view method, std::string_view path, const Json& body,
                       std::string_view token, std::string_view address) {
  const std::string text = body.is_null() ? std::string() : body.dump();
  const std::size_t question = std::min(path.find('?'), path.size());
  const std::string_view query = path.substr(std::min(question + 1, path.size()));
  RestAnswer answer = desk.handle(moment, {*IpAddress::parse(address), token},
                                  {method, path.substr(0, question), query, text});
  settle();
  return answer;
}

}  // namespace runnel::session
