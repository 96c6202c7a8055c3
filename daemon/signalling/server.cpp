#include "daemon/signalling/server.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "core/base/check.h"
#include "core/http/problem.h"
#include "daemon/signalling/http_date.h"

namespace runnel::daemon {
namespace {

using auth::ConnectionLimits;
using auth::LimitKey;

http::Response refusal_of(ConnectionLimits::Admission admission) {
  const bool is_of_address = admission == ConnectionLimits::Admission::too_many_of_this;
  return http::to_response(
      http::Problem{.status = 503,
                    .code = "too_many_connections",
                    .detail = is_of_address ? "this address has as many connections as it may have"
                                            : "the server has as many connections as it can have",
                    .retry_after = std::chrono::seconds(5)});
}

}  // namespace

Server::Server(EventLoop& loop, session::Desk& desk, RequestHandler handler,
               ServerSettings settings, std::vector<TcpListener> listeners, Log& log,
               std::uint64_t seed)
    : loop_(loop),
      desk_(desk),
      handler_(std::move(handler)),
      settings_(std::move(settings)),
      log_(log),
      acceptor_(loop, std::move(listeners), log),
      limits_(settings_.connections, settings_.connections_per_address, seed),
      table_(settings_.connections + kMostRefused),
      buffers_(std::make_unique_for_overwrite<ReadBuffers>()) {
  if (const auto& ice_tcp = settings_.ice_tcp) {
    paths_.emplace(ice_tcp->first_port, *ice_tcp->transports);
    settings_.connection.media.emplace().patience = settings_.connection.http.header_timeout;
  }
}

Server::~Server() = default;

std::expected<void, SystemError> Server::start() {
  handler_.set_ready(true);
  return acceptor_.start();
}

bool Server::handle_next(const session::Moment& moment) {
  if (paths_ && paths_->has_news()) return true;
  if (current_ == nullptr) {
    while (auto socket = acceptor_.next(moment.now)) open(moment.now, std::move(*socket));
  }
  while (current_ != nullptr || begin_pass()) {
    if (continue_pass(moment)) return true;
  }
  if (!has_media_) return paths_ && paths_->has_news();
  has_media_ = false;
  desk_.flush_media(moment);
  return true;
}

void Server::open(Timestamp now, AcceptedSocket socket) {
  ++counters_.accepted;
  const SocketAddress remote = socket.remote;
  const auto admission = limits_.admit(LimitKey::of_address(remote.ip));
  const bool is_admitted = admission == ConnectionLimits::Admission::admitted;
  if (!is_admitted) {
    ++counters_.refused;
    complain_of_limit(remote, admission);
    // A refusal through TLS would cost more than the connection.
    if (settings_.tls || refused_now_ == kMostRefused) return;
    ++refused_now_;
  }
  Place* place = table_.add(
      std::make_unique<Connection>(settings_.connection, std::move(socket.descriptor), remote,
                                   settings_.tls ? &*settings_.tls : nullptr, now));
  RUNNEL_CHECK(place != nullptr);
  place->server = this;
  place->is_admitted = is_admitted;
  if (paths_) place->path = paths_->path(socket.listener, remote);
  const auto callback = [](uv_poll_t* poll, int status, int events) noexcept {
    Place& ready = *static_cast<Place*>(poll->data);
    ready.connection->on_poll(status, events);
    ready.server->make_ready(ready);
  };
  if (const int error = place->connection->watch(loop_, callback, place); error != 0) {
    log_.error(fmt::format("cannot watch a signalling connection: {}", std::strerror(error)));
    return close(*place);
  }
  if (!is_admitted) place->connection->refuse(now, refusal_of(admission));
  finish(*place, now);
}

// Said once: the statistics count the others.
void Server::complain_of_limit(const SocketAddress& remote, ConnectionLimits::Admission admission) {
  if (std::exchange(has_complained_, true)) return;
  const bool is_of_address = admission == ConnectionLimits::Admission::too_many_of_this;
  log_.warning(
      fmt::format("signalling connections are refused: {} has {} (limits.{})",
                  is_of_address ? remote.ip.to_string() : "this server",
                  is_of_address ? settings_.connections_per_address : settings_.connections,
                  is_of_address ? "connections_per_address" : "connections"),
      {{"event", "connections_refused"}});
}

void Server::make_ready(Place& place) {
  if (!std::exchange(place.is_ready, true)) ready_.push_back(place.slot);
}

bool Server::begin_pass() noexcept {
  while (!ready_.empty() && passes_ < kPassesPerWakeUp) {
    Place& place = table_.at(ready_.front());
    ready_.pop_front();
    place.is_ready = false;
    if (!place.connection) continue;
    current_ = &place;
    ++passes_;
    return true;
  }
  return false;
}

// True when it was a step.
bool Server::continue_pass(const session::Moment& moment) {
  const Happening happening = held_ ? *held_ : current_->connection->next(moment.now, *buffers_);
  held_.reset();
  return std::visit([&](const auto& kind) { return act(moment, kind); }, happening);
}

bool Server::act(const session::Moment& moment, const NothingYet&) {
  finish(*std::exchange(current_, nullptr), moment.now);
  return false;
}

bool Server::act(const session::Moment& moment, const RequestArrived& arrived) {
  if (has_media_) return flush_media(moment, arrived);
  ++counters_.requests;
  Connection& connection = *current_->connection;
  Reply reply = handler_.handle(moment, connection.remote().ip, *arrived.request);
  if (auto* response = std::get_if<http::Response>(&reply)) {
    response->headers.add("Date", http_date(moment.unix_seconds()));
  } else if (auto* events = std::get_if<EventResponse>(&reply)) {
    events->response.headers.add("Date", http_date(moment.unix_seconds()));
    current_->reader = events->reader;
    readers_.emplace(events->reader, current_->slot);
  } else {
    table_.name(std::get<Upgrade>(reply).connection, current_->slot);
  }
  connection.answer(moment.now, std::move(reply), !farewell_);
  return true;
}

bool Server::act(const session::Moment& moment, const TextArrived& arrived) {
  if (has_media_) return flush_media(moment, arrived);
  desk_.receive_text(moment, current_->connection->websocket()->id(), arrived.text);
  return true;
}

bool Server::act(const session::Moment& moment, const BinaryArrived& arrived) {
  const session::ConnectionId id = current_->connection->websocket()->id();
  if (desk_.receive_binary(moment, id, arrived.message)) {
    has_media_ = true;
    return false;
  }
  // It may have filled the desk by itself.
  return flush_media(moment, arrived);
}

bool Server::act(const session::Moment&, const PacketArrived& arrived) {
  paths_->open(*current_->path, current_->slot);
  if (paths_->take(*current_->path, arrived.frame)) return false;
  held_ = arrived;
  return true;
}

bool Server::act(const session::Moment& moment, const WebSocketEnded& ended) {
  if (has_media_) return flush_media(moment, ended);
  table_.forget(ended.id);
  desk_.disconnect(moment, ended.id);
  return true;
}

// What the desk has kept comes before what happened `after` it.
bool Server::flush_media(const session::Moment& moment, Happening after) {
  has_media_ = false;
  held_ = after;
  desk_.flush_media(moment);
  return true;
}

void Server::finish(Place& place, Timestamp now) {
  place.connection->finish(now);
  if (place.connection->is_gone()) return close(place);
  if (place.connection->wants_pass()) make_ready(place);
  table_.update_deadline(place);
}

void Server::close(Place& place) {
  const Connection& connection = *place.connection;
  const websocket::SendQueue::Counters& queue = connection.output().queue().counters();
  counters_.refused_media += queue.refused_media;
  counters_.discarded_statistics += queue.discarded_statistics;
  if (connection.was_too_slow()) ++counters_.too_slow;
  if (connection.has_timed_out()) ++counters_.timed_out;
  if (!connection.complaint().empty()) {
    ++counters_.failed;
    log_.debug(fmt::format("signalling connection of {}: {}", connection.remote().to_string(),
                           connection.complaint()));
  }
  if (place.path) paths_->close(*place.path);
  if (place.reader) {
    readers_.erase(*place.reader);
    handler_.events().close(*std::exchange(place.reader, std::nullopt));
  }
  if (place.is_admitted) {
    limits_.release(LimitKey::of_address(connection.remote().ip));
  } else {
    --refused_now_;
  }
  table_.remove(place);
  acceptor_.resume();
}

// Media of nobody is not waited for.
void Server::look_for_peer(Place& place, Timestamp now) noexcept {
  MediaConversation* media = place.connection->media();
  if (media == nullptr) return;
  if (paths_->has_peer(*place.path)) return media->confirm(now);
  place.connection->end_media("carries media of no peer");
}

void Server::end_wake_up() noexcept {
  passes_ = 0;
  acceptor_.end_wake_up();
}

void Server::handle_timeout(const session::Moment& moment) {
  acceptor_.handle_timeout(moment.now);
  while (const auto slot = table_.take_due(moment.now)) {
    Place& place = table_.at(*slot);
    look_for_peer(place, moment.now);
    place.connection->handle_timeout(moment.now);
    make_ready(place);
  }
  handler_.events().handle_timeout(moment.now, desk_);
  desk_.handle_timeout(moment);
}

std::optional<Timestamp> Server::next_timeout() const noexcept {
  if (has_work()) return Timestamp::min();
  std::optional<Timestamp> next = table_.next_timeout();
  for (const auto& other : {acceptor_.next_timeout(), desk_.next_timeout(),
                            handler_.events().next_timeout(), farewell_}) {
    if (other && (!next || *other < *next)) next = other;
  }
  return next;
}

void Server::shut_down(const session::Moment& moment) {
  handler_.set_ready(false);
  farewell_ = moment.now + settings_.farewell;
  desk_.shut_down(moment);
}

bool Server::has_ended(Timestamp now) const noexcept {
  return farewell_ && (table_.websockets() == 0 || now >= *farewell_);
}

ServerStatistics Server::statistics() const {
  ServerStatistics statistics = counters_;
  statistics.connections = table_.size();
  statistics.websockets = table_.websockets();
  statistics.media_paths = paths_ ? paths_->size() : 0;
  return statistics;
}

}  // namespace runnel::daemon
