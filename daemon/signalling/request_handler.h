// What each HTTP request gets: a page of the server's own, an answer of the desk, or a WebSocket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/base/address.h"
#include "core/http/request.h"
#include "core/http/response.h"
#include "core/http/router.h"
#include "core/session/desk.h"
#include "core/session/moment.h"
#include "core/websocket/permessage_deflate.h"
#include "core/whip/endpoints.h"
#include "daemon/signalling/origin_policy.h"

namespace runnel::daemon {

/// The connection becomes a WebSocket once `head` has been sent.
struct Upgrade {
  std::string head;  // of the 101 response
  session::ConnectionId connection{};
  std::optional<websocket::DeflateParameters> deflate;
};
/// The body goes on: what whip::EventStreams has for `reader`.
struct EventResponse {
  http::Response response;
  whip::ReaderId reader{};
};
using Reply = std::variant<http::Response, Upgrade, EventResponse>;

class RequestHandler {
 public:
  /// `desk` must outlive it. `token_in_query`: whether "?token=" is looked at.
  RequestHandler(session::Desk& desk, OriginPolicy origins, bool token_in_query,
                 whip::Settings whip = {});

  /// What /readyz says.
  void set_ready(bool is_ready) noexcept { is_ready_ = is_ready; }

  /// May be a call of the desk.
  [[nodiscard]] Reply handle(const session::Moment& moment, const IpAddress& client,
                             const http::Request& request);

  [[nodiscard]] whip::EventStreams& events() noexcept { return whip_.events(); }
  [[nodiscard]] const whip::EventStreams& events() const noexcept { return whip_.events(); }

 private:
  struct Context {
    const session::Moment& moment;
    const IpAddress& address;
    const http::Request& request;
    std::string token;

    [[nodiscard]] session::Client client() const { return {address, token}; }
  };

  [[nodiscard]] Reply dispatch(const Context& context);
  [[nodiscard]] Reply serve(const Context& context, const http::RouteMatch& match);
  [[nodiscard]] Reply open_signalling(const Context& context);
  [[nodiscard]] Reply open_voice(const Context& context, const std::string& stream);
  [[nodiscard]] http::Response call_rest(const Context& context);
  [[nodiscard]] Reply call_whip(const Context& context);
  [[nodiscard]] http::Response readiness() const;
  [[nodiscard]] std::string token_of(const http::Request& request) const;

  session::Desk& desk_;
  OriginPolicy origins_;
  bool token_in_query_;
  bool is_ready_ = false;
  http::Router router_;
  whip::Endpoints whip_;
};

}  // namespace runnel::daemon
