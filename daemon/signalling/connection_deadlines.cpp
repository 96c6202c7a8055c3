// A connection in time: how long a client may take, and what becomes of one that takes longer.
#include "core/http/problem.h"
#include "daemon/signalling/connection.h"

namespace runnel::daemon {
namespace {

http::Response timeout_response() {
  return http::to_response(http::Problem{
      .status = 408, .code = "request_timeout", .detail = "the request did not come in time"});
}

}  // namespace

std::optional<Timestamp> Connection::deadline() const noexcept {
  switch (phase_) {
    case Phase::http:
      return output_.empty() ? http_->deadline() : patience_;
    case Phase::websocket:
      return websocket_->next_timeout();
    case Phase::media:
      return media_->deadline();
    case Phase::events:
      if (output_.empty()) return std::nullopt;
      return patience_;
    case Phase::ending:
    case Phase::lingering:
      return patience_;
    case Phase::gone:
      break;
  }
  return std::nullopt;
}

void Connection::handle_timeout(Timestamp now) {
  const auto due = deadline();
  if (!due || now < *due) return;
  switch (phase_) {
    case Phase::websocket:
      return websocket_->handle_timeout(now);
    case Phase::http:
      if (!output_.empty()) break;
      if (!http_->in_request()) return end(now);
      has_timed_out_ = true;
      return refuse(now, timeout_response());
    case Phase::events:
      was_too_slow_ = true;
      break;
    case Phase::media:
    case Phase::ending:
    case Phase::lingering:
    case Phase::gone:
      break;
  }
  phase_ = Phase::gone;
}

}  // namespace runnel::daemon
