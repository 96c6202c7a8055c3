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
    if (!worker.wake_up_) return;
    worker.process_batch();
    worker.settle();
  });
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

void Worker::shut_down() {
  process_batch();
  watches_.clear();
  uv_check_stop(after_poll_.get());
  engine_.shut_down(now());
  settle();
  timer_.stop();
}

bool Worker::set_destination(const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                             const SocketAddress& rtcp) {
  process_batch();  // of this turn of the loop; the engine wants to be drained in between
  const bool is_free = engine_.set_destination(receiver, rtp, rtcp);
  settle();
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
  engine_.handle_timeout(now());
  settle();
}

// Ends each wake-up, whatever it was about.
void Worker::settle() noexcept {
  send_everything();
  engine_.take_events(happened_);
  for (const relay::Event& event : happened_) events_.write(event);
  happened_.clear();
  arm_timer();
  wake_up_.reset();
}

void Worker::send_everything() noexcept {
  while (engine_.drain(outbox_)) {
    sender_.send(sockets_, outbox_.datagrams());
    for (const SendFailure& failure : sender_.failures()) {
      engine_.handle_send_failure(failure.owner, failure.reason);
    }
    for (const UnreachableReport& report : sender_.unreachable()) {
      engine_.handle_unreachable(report.port, report.destination);
    }
  }
}

// libuv counts in milliseconds of the same clock, from the beginning of this turn of the loop.
// Rounding up keeps the timer from firing before the deadline.
void Worker::arm_timer() noexcept {
  const auto deadline = engine_.next_timeout();
  if (!deadline) return timer_.stop();
  const auto due = std::chrono::ceil<std::chrono::milliseconds>(deadline->time_since_epoch());
  const std::chrono::milliseconds turn(uv_now(loop_.get()));
  timer_.start_once(std::max(due - turn, std::chrono::milliseconds::zero()));
}

Timestamp Worker::now() noexcept {
  if (!wake_up_) wake_up_ = read_clock();
  return *wake_up_;
}

}  // namespace runnel::daemon
