#include "daemon/worker.h"

#include <algorithm>
#include <utility>

#include "daemon/clock.h"

namespace runnel::daemon {

Worker::Worker(EventLoop& loop, relay::Engine& engine, std::vector<UdpSocket> sockets,
               SocketCapabilities capabilities, EventLog& events)
    : loop_(loop),
      engine_(engine),
      events_(events),
      sockets_(std::move(sockets)),
      overflows_(sockets_.size()),
      receiver_(capabilities),
      sender_(relay::Outbox::kDefaultSlots, capabilities),
      after_poll_(new uv_check_t),
      timer_(loop, [this] { on_timer(); }) {
  uv_check_init(loop.get(), after_poll_.get());
  after_poll_->data = this;
}

Worker::~Worker() = default;

std::expected<void, SystemError> Worker::start() {
  // Callbacks point at the watches, so all of them exist before the first is started.
  watches_.resize(sockets_.size());
  for (std::size_t i = 0; i < sockets_.size(); ++i) {
    Watch& watch = watches_[i];
    watch.worker = this;
    watch.port = static_cast<relay::PortIndex>(i);
    watch.poll.reset(new uv_poll_t);
    const int error = uv_poll_init(loop_.get(), watch.poll.get(), sockets_[i].descriptor());
    if (error != 0) {
      delete watch.poll.release();  // never became a handle
      return std::unexpected(SystemError{-error, "epoll_ctl"});
    }
    watch.poll->data = &watch;
    listen_to(watch);
  }
  uv_check_start(after_poll_.get(), [](uv_check_t* check) noexcept {
    auto& worker = *static_cast<Worker*>(check->data);
    const bool is_asked = worker.server_ != nullptr && worker.server_->has_work();
    if (!worker.wake_up_ && !is_asked) return;
    worker.process_batch();
    worker.end_wake_up();
  });
  if (server_ != nullptr) {
    if (auto started = server_->start(); !started) return started;
  }
  arm_timer();
  return {};
}

// UV_PRIORITIZED is how libuv says that the error queue has something.
void Worker::listen_to(Watch& watch) noexcept {
  uv_poll_start(watch.poll.get(), UV_READABLE | UV_PRIORITIZED,
                [](uv_poll_t* poll, int status, int events) noexcept {
                  auto& readable = *static_cast<Watch*>(poll->data);
                  readable.worker->on_poll(readable, status, events);
                });
}

void Worker::shut_down(std::function<void()> ended) {
  process_batch();
  watches_.clear();
  is_ending_ = true;
  ended_ = std::move(ended);
  if (server_ != nullptr) {
    server_->shut_down(moment());
    settle();
  }
  engine_.shut_down(now());
  end_wake_up();
}

bool Worker::set_destination(const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                             const SocketAddress& rtcp) {
  process_batch();  // of this turn of the loop; the engine wants to be drained in between
  const bool is_free = engine_.set_destination(receiver, rtp, rtcp);
  end_wake_up();
  return is_free;
}

void Worker::count_receive_overflows() noexcept {
  for (std::size_t i = 0; i < sockets_.size(); ++i) {
    const std::uint32_t before = std::exchange(overflows_[i], sockets_[i].receive_overflows());
    const std::uint32_t lost = overflows_[i] - before;
    if (lost != 0) {
      engine_.count_drop(static_cast<relay::PortIndex>(i), DropReason::receive_buffer_full, lost);
    }
  }
}

void Worker::on_poll(Watch& watch, int status, int events) noexcept {
  // libuv gives up a descriptor that has an error without saying that it has priority data. With
  // ours that is an ICMP error on a kernel that does not announce those properly.
  if (status < 0) listen_to(watch);
  if (status < 0 || (events & UV_PRIORITIZED) != 0) take_icmp_errors(watch.port);
  receive(watch.port);
}

void Worker::receive(relay::PortIndex port) noexcept {
  const UdpSocket& socket = sockets_[static_cast<std::size_t>(port)];
  now();
  std::size_t share = kBatchesPerSocket * UdpReceiver::kBatch;
  for (bool more = true; more && share > 0;) {
    const std::size_t before = receiver_.datagrams().size();
    more = receiver_.receive(socket, port);
    share -= std::min(share, receiver_.datagrams().size() - before);
    if (receiver_.full()) process_batch();
  }
}

void Worker::take_icmp_errors(relay::PortIndex port) noexcept {
  UdpSocket& socket = sockets_[static_cast<std::size_t>(port)];
  for (std::size_t i = 0; i < UdpSender::kMaxUnreachableReports; ++i) {
    const auto error = socket.next_icmp_error();
    if (!error) return;
    if (error->unreachable) engine_.handle_unreachable(port, error->destination);
  }
}

void Worker::process_batch() noexcept {
  if (receiver_.datagrams().empty()) return;
  engine_.handle_datagrams(now(), receiver_.datagrams());
  send_everything();
  receiver_.clear();
}

void Worker::on_timer() noexcept {
  if (!is_ending_) engine_.handle_timeout(now());
  settle();
  if (server_ != nullptr) server_->handle_timeout(moment());
  end_wake_up();
}

// Ends each wake-up, whatever it was about.
void Worker::end_wake_up() noexcept {
  settle();
  if (server_ != nullptr && server_->has_work()) {
    while (server_->handle_next(moment())) {
      settle();
      take_media_of_clients();
    }
    server_->end_wake_up();
  }
  arm_timer();
  if (is_ending_ && (server_ == nullptr || server_->has_ended(now()))) {
    uv_check_stop(after_poll_.get());
    timer_.stop();
    if (ended_) std::exchange(ended_, {})();
  }
  wake_up_.reset();
  moment_.reset();
}

// Until the engine has nothing to send or to tell, and the clients have what is for them.
void Worker::settle() noexcept {
  do send_everything();
  while (take_events());
  if (server_ != nullptr) server_->settle(moment());
}

void Worker::send_everything() noexcept {
  while (engine_.drain(outbox_)) {
    send_datagrams();
    if (server_ != nullptr && !outbox_.messages().empty()) {
      server_->deliver(moment(), outbox_.messages());
    }
  }
}

// Ports beyond those of the sockets are TCP, and the server's.
void Worker::send_datagrams() noexcept {
  const auto is_tcp = [this](const relay::OutgoingDatagram& datagram) {
    return static_cast<std::size_t>(datagram.port) >= sockets_.size();
  };
  for (auto rest = outbox_.datagrams(); !rest.empty();) {
    const bool by_tcp = is_tcp(rest.front());
    const auto end = std::ranges::find(rest, !by_tcp, is_tcp);
    const auto run = rest.first(static_cast<std::size_t>(end - rest.begin()));
    rest = rest.subspan(run.size());
    if (by_tcp) {
      if (server_ != nullptr) count_failures(server_->send(now(), run));
      continue;
    }
    sender_.send(sockets_, run);
    count_failures(sender_.failures());
    for (const UnreachableReport& report : sender_.unreachable()) {
      engine_.handle_unreachable(report.port, report.destination);
    }
  }
}

void Worker::count_failures(std::span<const SendFailure> failures) noexcept {
  for (const SendFailure& failure : failures) {
    engine_.handle_send_failure(failure.owner, failure.reason);
  }
}

// What has come by TCP, and which of those connections are gone.
void Worker::take_media_of_clients() noexcept {
  MediaPaths* paths = server_->paths();
  if (paths == nullptr) return;
  if (!paths->arrived().empty() && !is_ending_) {
    engine_.handle_datagrams(now(), paths->arrived());
    settle();
  }
  paths->clear_arrived();
  while (const auto path = paths->next_closed()) {
    if (is_ending_) continue;
    engine_.handle_closed_path(now(), *path);
    settle();
  }
}

// True when the desk was told, after which the engine may have something to send.
bool Worker::take_events() noexcept {
  engine_.take_events(happened_);
  engine_.take_peer_events(happened_to_peers_);
  if (happened_.empty() && happened_to_peers_.empty()) return false;
  for (const relay::Event& event : happened_) events_.write(event);
  for (const transport::Event& event : happened_to_peers_) events_.write(event);
  if (server_ != nullptr) server_->handle_events(moment(), happened_, happened_to_peers_);
  happened_.clear();
  happened_to_peers_.clear();
  return server_ != nullptr;
}

// libuv counts in milliseconds of the same clock, from the beginning of this turn of the loop.
// Rounding up keeps the timer from firing before the deadline.
void Worker::arm_timer() noexcept {
  const auto deadline = next_timeout();
  if (!deadline) return timer_.stop();
  const auto due = std::chrono::ceil<std::chrono::milliseconds>(deadline->time_since_epoch());
  const std::chrono::milliseconds turn(uv_now(loop_.get()));
  timer_.start_once(std::max(due - turn, std::chrono::milliseconds::zero()));
}

std::optional<Timestamp> Worker::next_timeout() const noexcept {
  std::optional<Timestamp> next;
  if (!is_ending_) next = engine_.next_timeout();
  if (server_ == nullptr) return next;
  const auto other = server_->next_timeout();
  if (!next || !other) return next ? next : other;
  return std::min(*next, *other);
}

Timestamp Worker::now() noexcept {
  if (!wake_up_) wake_up_ = read_clock();
  return *wake_up_;
}

const session::Moment& Worker::moment() noexcept {
  if (!moment_) moment_ = {now(), read_wall_clock()};
  return *moment_;
}

}  // namespace runnel::daemon
