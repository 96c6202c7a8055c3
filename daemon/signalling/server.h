// The signalling side of a worker: takes clients' bytes to the desk, and the desk's words and the
// engine's media to the clients.
#pragma once

#include <cstddef>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/auth/connection_limits.h"
#include "core/relay/outbox.h"
#include "core/session/desk.h"
#include "core/tls/server_context.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/signalling/acceptor.h"
#include "daemon/signalling/connection_table.h"
#include "daemon/signalling/media_paths.h"
#include "daemon/signalling/request_handler.h"
#include "daemon/signalling/server_statistics.h"
#include "daemon/udp_sender.h"

namespace runnel::daemon {

/// Media by TCP on the same ports (ICE-TCP).
struct IceTcpSettings {
  PortIndex first_port{};  // of the first listener; the others follow
  /// Must outlive the server.
  const transport::Transports* transports = nullptr;
};

struct ServerSettings {
  ConnectionSettings connection;
  std::size_t connections = 10'000;
  std::size_t connections_per_address = 256;
  /// How long clients may take to say goodbye when the program ends.
  Duration farewell = std::chrono::seconds(2);
  /// Absent: in the clear.
  std::optional<tls::ServerContext> tls;
  /// Absent: no media comes this way.
  std::optional<IceTcpSettings> ice_tcp;
};

/// Every call of the desk is one step, after which the engine has to be drained, its messages
/// delivered and its events handled, and then `settle` be called; then comes the next step.
class Server {
 public:
  /// Reads of sockets in one wake-up; the others' turn comes after the media's.
  static constexpr std::size_t kPassesPerWakeUp = 64;
  /// Clients beyond the limits that are told so at the same time; more are closed without a word.
  static constexpr std::size_t kMostRefused = 64;
  /// `loop`, `desk` and `log` must outlive it. `seed` is random.
  Server(EventLoop& loop, session::Desk& desk, RequestHandler handler, ServerSettings settings,
         std::vector<TcpListener> listeners, Log& log, std::uint64_t seed);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::expected<void, SystemError> start();
  /// Connections from now on use another certificate.
  void set_tls(tls::ServerContext context) { settings_.tls = std::move(context); }

  // For the worker.

  /// Whether a step may be waiting.
  [[nodiscard]] bool has_work() const noexcept {
    return acceptor_.is_ready() || !ready_.empty() || (paths_ && paths_->has_news());
  }
  /// One step; false when there is none left in this wake-up. After each, the engine is to be given
  /// what `paths` have.
  [[nodiscard]] bool handle_next(const session::Moment& moment);
  /// Media for clients, before the outbox is cleared.
  void deliver(const session::Moment& moment, std::span<const relay::OutgoingMessage> messages);
  /// nullptr without ICE-TCP.
  [[nodiscard]] MediaPaths* paths() noexcept { return paths_ ? &*paths_ : nullptr; }
  /// Datagrams to media paths. Answers which of them were not sent, or will not be, and of earlier
  /// ones too; valid until the next call.
  [[nodiscard]] std::span<const SendFailure> send(
      Timestamp now, std::span<const relay::OutgoingDatagram> datagrams);
  /// What the engine tells.
  void handle_events(const session::Moment& moment, std::span<const relay::Event> events,
                     std::span<const transport::Event> of_peers) {
    desk_.handle_events(moment, events);
    if (!of_peers.empty()) desk_.handle_peer_events(moment, of_peers);
  }
  /// Once the engine is drained: sends what the desk wants said.
  void settle(const session::Moment& moment);
  /// No step is left, or none that this wake-up has time for.
  void end_wake_up() noexcept;

  /// May be a call of the desk, always to be followed by draining.
  void handle_timeout(const session::Moment& moment);
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;

  /// Says goodbye to every client; a step. New ones are still told that it ends.
  void shut_down(const session::Moment& moment);
  /// After that: whether all have said goodbye, or have had their time.
  [[nodiscard]] bool has_ended(Timestamp now) const noexcept;

  [[nodiscard]] ServerStatistics statistics() const;
  [[nodiscard]] const std::vector<TcpListener>& listeners() const noexcept {
    return acceptor_.listeners();
  }

 private:
  void open(Timestamp now, AcceptedSocket socket);
  void complain_of_limit(const SocketAddress& remote, auth::ConnectionLimits::Admission admission);
  void make_ready(Place& place);
  [[nodiscard]] bool begin_pass() noexcept;
  [[nodiscard]] bool continue_pass(const session::Moment& moment);
  void end_pass(Timestamp now);
  [[nodiscard]] bool flush_media(const session::Moment& moment, Happening after);

  [[nodiscard]] bool act(const session::Moment& moment, const NothingYet&);
  [[nodiscard]] bool act(const session::Moment& moment, const RequestArrived& arrived);
  [[nodiscard]] bool act(const session::Moment& moment, const TextArrived& arrived);
  [[nodiscard]] bool act(const session::Moment& moment, const BinaryArrived& arrived);
  [[nodiscard]] bool act(const session::Moment& moment, const PacketArrived& arrived);
  [[nodiscard]] bool act(const session::Moment& moment, const WebSocketEnded& ended);

  void send_events(Timestamp now);
  [[nodiscard]] Place* find_websocket(session::ConnectionId id) noexcept;
  [[nodiscard]] Place* find_media(const Path& path) noexcept;
  void look_for_peer(Place& place, Timestamp now) noexcept;
  void make_unsent(Place& place);
  void finish(Place& place, Timestamp now);
  void close(Place& place);

  EventLoop& loop_;
  session::Desk& desk_;
  RequestHandler handler_;
  ServerSettings settings_;
  Log& log_;
  Acceptor acceptor_;
  auth::ConnectionLimits limits_;
  ConnectionTable table_;
  std::unordered_map<whip::ReaderId, Slot> readers_;  // of server-sent events
  std::optional<MediaPaths> paths_;
  ServerStatistics counters_;
  std::size_t refused_now_ = 0;
  bool has_complained_ = false;  // of a limit

  std::deque<Slot> ready_;         // a pass is due
  std::vector<Slot> unsent_;       // messages were given
  std::size_t passes_ = 0;         // in this wake-up
  Place* current_ = nullptr;       // whose pass it is
  std::optional<Happening> held_;  // waits until media has been flushed
  bool has_media_ = false;         // the desk has kept some
  session::Output output_;
  std::vector<SendFailure> failures_;
  std::vector<std::uint32_t> dropped_;
  std::unique_ptr<ReadBuffers> buffers_;
  std::optional<Timestamp> farewell_;  // the end of it
};

}  // namespace runnel::daemon
