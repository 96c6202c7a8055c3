// What the engine and the desk have for clients.
#include <utility>

#include "daemon/signalling/notice_log.h"
#include "daemon/signalling/server.h"

namespace runnel::daemon {

void Server::deliver(const session::Moment& moment,
                     std::span<const relay::OutgoingMessage> messages) {
  std::optional<session::ConnectionId> following;
  if (!messages.empty()) following = desk_.connection_of(messages.front());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto id = std::exchange(following, std::nullopt);
    if (i + 1 < messages.size()) following = desk_.connection_of(messages[i + 1]);
    Place* place = id ? find_websocket(*id) : nullptr;
    if (place == nullptr) continue;
    WebSocketConversation& socket = *place->connection->websocket();
    const bool more = following == id;
    auto prepared = desk_.prepare(moment, messages[i], socket.media_room());
    while (prepared) {
      socket.send_media(*prepared, more);
      prepared = desk_.prepare_next(socket.media_room());
    }
    if (!place->connection->output().empty() || place->connection->wants_pass()) {
      make_unsent(*place);
    }
  }
}

std::span<const SendFailure> Server::send(Timestamp now,
                                          std::span<const relay::OutgoingDatagram> datagrams) {
  failures_.clear();
  Path path;
  Place* place = nullptr;
  for (const relay::OutgoingDatagram& datagram : datagrams) {
    const Path next{datagram.port, datagram.destination};
    if (place == nullptr || next != path) place = find_media(next);
    path = next;
    if (place == nullptr) {
      failures_.push_back({datagram.owner, DropReason::connection_closed});
      continue;
    }
    dropped_.clear();
    place->connection->media()->send(now, datagram.bytes, datagram.owner, dropped_);
    for (const std::uint32_t owner : dropped_) {
      failures_.push_back({owner, DropReason::slow_reader});
    }
    make_unsent(*place);
  }
  return failures_;
}

Place* Server::find_media(const Path& path) noexcept {
  const auto slot = paths_ ? paths_->find(path) : std::nullopt;
  return slot ? &table_.at(*slot) : nullptr;
}

// Its end may have come, and not have been told to the desk yet.
Place* Server::find_websocket(session::ConnectionId id) noexcept {
  Place* place = table_.find(id);
  return place != nullptr && place->connection->websocket() != nullptr ? place : nullptr;
}

void Server::settle(const session::Moment& moment) {
  desk_.take_output(output_);
  for (const session::OutgoingText& text : output_.texts) {
    Place* place = find_websocket(text.connection);
    if (place == nullptr) continue;
    place->connection->websocket()->send_text(moment.now, text.text_class, text.text);
    make_unsent(*place);
  }
  for (const session::ConnectionId id : output_.admitted) {
    if (Place* place = find_websocket(id)) place->connection->websocket()->admit();
  }
  for (const session::Closing& closing : output_.closings) {
    Place* place = find_websocket(closing.connection);
    if (place == nullptr) continue;
    place->connection->websocket()->close(
        moment.now, static_cast<websocket::CloseCode>(closing.code), closing.reason);
    make_unsent(*place);
  }
  for (const session::Notice& notice : output_.notices) log_.write(describe(notice));
  handler_.events().handle_events(moment.now, desk_, output_.resource_events);
  output_.clear();
  send_events(moment.now);
  for (const Slot slot : unsent_) {
    Place& place = table_.at(slot);
    place.is_unsent = false;
    // The one whose pass it is gets this at the end of it.
    if (place.connection && &place != current_) finish(place, moment.now);
  }
  unsent_.clear();
}

void Server::send_events(Timestamp now) {
  if (!handler_.events().has_output()) return;
  const whip::EventStreams::Output events = handler_.events().take_output();
  for (const auto& [reader, text] : events.texts) {
    const auto found = readers_.find(reader);
    if (found == readers_.end()) continue;
    Place& place = table_.at(found->second);
    place.connection->send_event(now, text);
    make_unsent(place);
  }
  for (const whip::ReaderId reader : events.ended) {
    const auto found = readers_.find(reader);
    if (found == readers_.end()) continue;
    Place& place = table_.at(found->second);
    place.connection->end_events(now);
    make_unsent(place);
  }
}

void Server::make_unsent(Place& place) {
  if (!std::exchange(place.is_unsent, true)) unsent_.push_back(place.slot);
}

}  // namespace runnel::daemon
