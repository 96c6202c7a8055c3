// One engine on one loop: handle, drain, re-arm.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/relay/engine.h"
#include "core/relay/outbox.h"
#include "daemon/event_log.h"
#include "daemon/event_loop.h"
#include "daemon/signalling/server.h"
#include "daemon/udp_receiver.h"
#include "daemon/udp_sender.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

/// Moves datagrams between its sockets and its engine. What arrives at one wake-up, on whatever
/// socket, is handed over together and with one clock reading; each socket gets a bounded share of
/// a wake-up, so that a flooded one does not starve the others. Nothing is allocated for a packet.
/// Then come the steps of the signalling server, each of them drained before the next.
class Worker {
 public:
  /// Datagrams that one socket may bring into one wake-up, in batches of the receiver.
  static constexpr int kBatchesPerSocket = 4;

  /// `loop`, `engine` and `events` must outlive the worker. `sockets` by PortIndex.
  Worker(EventLoop& loop, relay::Engine& engine, std::vector<UdpSocket> sockets,
         SocketCapabilities capabilities, EventLog& events);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Serves signalling as well, from `start` on. `server` must outlive the worker.
  void serve(Server& server) noexcept { server_ = &server; }

  /// Begins to take datagrams and connections.
  [[nodiscard]] std::expected<void, SystemError> start();
  /// Says goodbye to everybody and takes no datagrams any more. `ended` is called once signalling
  /// clients have said goodbye too, which may be at once and is after ServerSettings::farewell at
  /// the latest.
  void shut_down(std::function<void()> ended = {});

  /// A receiver's name has been resolved. False when its address belongs to another receiver.
  bool set_destination(const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                       const SocketAddress& rtcp);
  /// Tells the engine what the kernel has thrown away since the last call.
  void count_receive_overflows() noexcept;

 private:
  struct Watch {
    Worker* worker = nullptr;
    relay::PortIndex port{};
    UvHandle<uv_poll_t> poll;
  };

  void listen_to(Watch& watch) noexcept;
  void on_poll(Watch& watch, int status, int events) noexcept;
  void on_timer() noexcept;
  void receive(relay::PortIndex port) noexcept;
  void take_icmp_errors(relay::PortIndex port) noexcept;
  void process_batch() noexcept;
  void settle() noexcept;
  void send_everything() noexcept;
  void send_datagrams() noexcept;
  void count_failures(std::span<const SendFailure> failures) noexcept;
  void take_media_of_clients() noexcept;
  bool take_events() noexcept;
  void end_wake_up() noexcept;
  void arm_timer() noexcept;
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  Timestamp now() noexcept;
  const session::Moment& moment() noexcept;

  EventLoop& loop_;
  relay::Engine& engine_;
  EventLog& events_;
  std::vector<UdpSocket> sockets_;
  std::vector<std::uint32_t> overflows_;  // of each socket, as last read
  UdpReceiver receiver_;
  UdpSender sender_;
  relay::Outbox outbox_;
  std::vector<relay::Event> happened_;
  std::vector<transport::Event> happened_to_peers_;
  std::optional<Timestamp> wake_up_;  // the clock reading of this wake-up, once it has been taken
  std::optional<session::Moment> moment_;  // the same, of both clocks
  Server* server_ = nullptr;
  bool is_ending_ = false;
  std::function<void()> ended_;
  std::vector<Watch> watches_;
  UvHandle<uv_check_t> after_poll_;
  Timer timer_;
};

}  // namespace runnel::daemon
