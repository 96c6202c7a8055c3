// WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep) at the desk: an HTTP request in, a response out.
#pragma once

#include <optional>
#include <string_view>

#include "core/http/request.h"
#include "core/http/response.h"
#include "core/session/desk.h"
#include "core/session/moment.h"
#include "core/whip/event_streams.h"
#include "core/whip/settings.h"

namespace runnel::whip {

struct Answer {
  http::Response response;
  /// The body is without end: the texts that EventStreams has for this reader. Once its connection
  /// is gone, EventStreams::close is to be called.
  std::optional<ReaderId> reader = std::nullopt;
};

/// The paths below are the protocol; {id} and everything behind it is known to whoever was told.
///
///   POST                  /whip/{stream}                      an offer, for an answer
///   POST                  /whep/{stream}                      the same, or nothing, for our offer
///   PATCH DELETE          /whip/{stream}/{id}, /whep/...      trickle, ICE restart, the end
///   PATCH                 /whep/{stream}/{id}                 the answer to our offer
///   POST                  /whep/{stream}/{id}/layer           which encoding
///   POST                  /whep/{stream}/{id}/events          an event stream
///   GET DELETE            /whep/{stream}/{id}/events/{number} reads it, ends it
///
/// GET of what has no representation is answered with nothing (RFC 9725 §4.1). An event stream is
/// read without a token, as EventSource of browsers sends none: its URL is the secret. A client
/// that has left out If-Match where ICE sessions matter gets 428, one that means another ICE
/// session 412.
class Endpoints {
 public:
  /// `desk` must outlive it.
  Endpoints(session::Desk& desk, Settings settings) : desk_(desk), settings_(std::move(settings)) {}

  /// Whether a request with this path is for `handle`.
  [[nodiscard]] static bool serves(std::string_view path) noexcept {
    return path.starts_with("/whip/") || path.starts_with("/whep/");
  }

  /// At most one call of the desk that needs the engine to be drained.
  [[nodiscard]] Answer handle(const session::Moment& moment, const session::Client& client,
                              const http::Request& request);

  [[nodiscard]] EventStreams& events() noexcept { return events_; }
  [[nodiscard]] const EventStreams& events() const noexcept { return events_; }

 private:
  session::Desk& desk_;
  Settings settings_;
  EventStreams events_;
};

}  // namespace runnel::whip
