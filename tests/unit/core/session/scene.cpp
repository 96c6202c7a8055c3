// The daemon's part in tests of the desk: drain, deliver, take events and output.
#include "scene.h"

#include <algorithm>

namespace runnel::session {
namespace {

std::optional<Timestamp> earlier(std::optional<Timestamp> a, std::optional<Timestamp> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

Scene::Scene(SceneOptions options)
    : engine(options.engine, random),
      authenticator(std::move(options.auth)),
      desk((engine.add_shared_port(kMediaPort), std::move(options.settings)), authenticator, engine,
           random) {
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
  while (const auto next = earlier(engine.next_timeout(), desk.next_timeout())) {
    if (*next > target) break;
    move_to(*next);
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

void Scene::settle() {
  std::vector<relay::Event> events;
  do {
    while (engine.drain(outbox)) {
      for (const relay::OutgoingDatagram& datagram : outbox.datagrams()) {
        datagrams.push_back(
            {datagram.destination, Bytes(datagram.bytes.begin(), datagram.bytes.end())});
      }
      for (const relay::OutgoingMessage& message : outbox.messages()) deliver(message);
    }
    events.clear();
    engine.take_events(events);
    if (!events.empty()) desk.handle_events(moment, events);
  } while (!events.empty());
  Output output;
  desk.take_output(output);
  for (OutgoingText& text : output.texts) {
    Mailbox& mailbox = mailboxes[text.connection];
    mailbox.texts.push_back(Json::parse(text.text));
    mailbox.raw_texts.push_back(std::move(text.text));
  }
  for (Closing& closing : output.closings) mailboxes[closing.connection].closing = closing;
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
