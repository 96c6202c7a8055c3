// A connection whose response goes on: server-sent events, until one side ends it.
#include "daemon/signalling/connection.h"

namespace runnel::daemon {
namespace {

// Events are few and small: whoever has so many unread reads none of them.
constexpr std::size_t kMostUnreadEvents = 16 * 1024;

}  // namespace

void Connection::begin_events(Timestamp now, const http::Response& response) {
  if (output_.empty()) patience_ = now + settings_.http.idle_timeout;
  output_.add(write_response(response, {.is_endless = true}));
  http_.reset();
  input_ = {};
  phase_ = Phase::events;
}

void Connection::send_event(Timestamp now, std::string_view text) {
  if (phase_ != Phase::events) return;
  if (output_.size() + text.size() > kMostUnreadEvents) {
    was_too_slow_ = true;
    phase_ = Phase::gone;
    return;
  }
  if (output_.empty()) patience_ = now + settings_.http.idle_timeout;
  output_.add(text);
}

void Connection::end_events(Timestamp now) {
  if (phase_ == Phase::events) end(now);
}

}  // namespace runnel::daemon
