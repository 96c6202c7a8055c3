#include "daemon/signalling/acceptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {

Acceptor::Acceptor(EventLoop& loop, std::vector<TcpListener> listeners, Log& log)
    : loop_(loop), listeners_(std::move(listeners)), log_(log) {}

std::expected<void, SystemError> Acceptor::start() {
  // Callbacks point at the watches, so all of them exist before the first is started.
  watches_.resize(listeners_.size());
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    Watch& watch = watches_[i];
    watch.acceptor = this;
    watch.listener = i;
    watch.poll.reset(new uv_poll_t);
    const int error = uv_poll_init(loop_.get(), watch.poll.get(), listeners_[i].descriptor());
    if (error != 0) {
      delete watch.poll.release();  // never became a handle
      watches_.clear();
      return std::unexpected(SystemError{-error, "epoll_ctl"});
    }
    watch.poll->data = &watch;
  }
  listen();
  return {};
}

void Acceptor::listen() noexcept {
  for (Watch& watch : watches_) {
    uv_poll_start(watch.poll.get(), UV_READABLE, [](uv_poll_t* poll, int, int) noexcept {
      auto& readable = *static_cast<Watch*>(poll->data);
      readable.is_ready = true;
      readable.acceptor->ready_ = &readable;
    });
  }
}

std::optional<AcceptedSocket> Acceptor::next(Timestamp now) {
  while (ready_ != nullptr && accepted_ < kMaxAcceptsPerWakeUp) {
    auto accepted = listeners_[ready_->listener].accept();
    if (accepted) {
      ++accepted_;
      accepted->listener = ready_->listener;
      return std::move(*accepted);
    }
    ready_->is_ready = false;
    if (accepted.error() != EAGAIN) {
      rest(now, accepted.error());
      return std::nullopt;
    }
    ready_ = find_ready();
  }
  // The poll tells of the others once more.
  for (Watch& watch : watches_) watch.is_ready = false;
  ready_ = nullptr;
  return std::nullopt;
}

Acceptor::Watch* Acceptor::find_ready() noexcept {
  const auto found = std::ranges::find_if(watches_, &Watch::is_ready);
  return found == watches_.end() ? nullptr : &*found;
}

// A listener that is readable and cannot be accepted from would wake the loop without end.
void Acceptor::rest(Timestamp now, int error) {
  for (Watch& watch : watches_) {
    uv_poll_stop(watch.poll.get());
    watch.is_ready = false;
  }
  ready_ = nullptr;
  resume_at_ = now + kRest;
  if (std::exchange(has_complained_, true)) return;
  log_.error(fmt::format("cannot take another signalling connection: {}; those who try wait until "
                         "there is room again (LimitNOFILE= of the service, 'ulimit -n')",
                         std::strerror(error)),
             {{"event", "accept_failed"}});
}

void Acceptor::resume() noexcept {
  if (!resume_at_) return;
  resume_at_.reset();
  listen();
}

void Acceptor::handle_timeout(Timestamp now) noexcept {
  if (resume_at_ && now >= *resume_at_) resume();
}

}  // namespace runnel::daemon
