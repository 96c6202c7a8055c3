#include "core/whip/endpoints.h"

#include <utility>

#include "core/http/problem.h"
#include "core/http/router.h"
#include "core/whip/extensions.h"
#include "core/whip/fields.h"
#include "core/whip/refusal.h"
#include "core/whip/sessions.h"

namespace runnel::whip {
namespace {

using http::Method;

enum Handler : http::HandlerId {
  kEndpoint,
  kCreate,
  kShow,
  kPatch,
  kEnd,
  kLayer,
  kCreateEvents,
  kReadEvents,
  kEndEvents,
};

const http::Router& router() {
  static const http::Router kRouter = [] {
    http::Router made;
    for (const std::string root : {"/whip", "/whep"}) {
      made.add(Method::get, root + "/{stream}", kEndpoint);
      made.add(Method::post, root + "/{stream}", kCreate);
      made.add(Method::get, root + "/{stream}/{id}", kShow);
      made.add(Method::patch, root + "/{stream}/{id}", kPatch);
      made.add(Method::delete_, root + "/{stream}/{id}", kEnd);
    }
    made.add(Method::post, "/whep/{stream}/{id}/layer", kLayer);
    made.add(Method::post, "/whep/{stream}/{id}/events", kCreateEvents);
    made.add(Method::get, "/whep/{stream}/{id}/events/{number}", kReadEvents);
    made.add(Method::delete_, "/whep/{stream}/{id}/events/{number}", kEndEvents);
    return made;
  }();
  return kRouter;
}

bool is_endpoint(std::string_view path) noexcept {
  return path.find('/', std::string_view("/whip/").size()) == std::string_view::npos;
}

/// RFC 9725 §4.2: 200, and what can be sent there.
http::Response options(const http::Request& request, std::vector<Method> allowed) {
  allowed.push_back(Method::options);
  http::Response response = http::options_response(allowed);
  response.status = 200;
  if (is_endpoint(request.path)) response.headers.add("Accept-Post", std::string(kSdp));
  return response;
}

/// WHEP: players find out by HEAD that this is one (§4.2 of the draft of 2026).
http::Response describe_endpoint(const Call& call) {
  http::Response response{
      .status = 204, .headers = {{"Accept-Post", std::string(kSdp)}}, .body = {}};
  if (call.is_publication()) return response;
  response.status = 200;
  response.headers.add("Content-Type", std::string(kSdp));
  return response;
}

Answer read_events(const Call& call, EventStreams& events) {
  const auto name = name_of_event_stream(call);
  Answer answer{.response = {.status = 200,
                             .headers = {{"Content-Type", "text/event-stream"},
                                         {"Cache-Control", "no-store"},
                                         {"X-Accel-Buffering", "no"}},
                             .body = {}}};
  if (call.request.method == Method::head) {
    if (name && events.contains(call.stream(), *name)) return answer;
  } else if (name) {
    answer.reader = events.open(call.moment.now, call.desk, call.stream(), *name);
    if (answer.reader) return answer;
  }
  return {.response = refusal(404, "unknown_event_stream", "there is no such event stream")};
}

Answer perform(const Call& call, http::HandlerId handler, EventStreams& events) {
  switch (static_cast<Handler>(handler)) {
    case kEndpoint:
      return {.response = describe_endpoint(call)};
    case kCreate:
      return {.response = create_session(call)};
    case kShow:
      return {.response = show_session(call)};
    case kPatch:
      return {.response = patch_session(call)};
    case kEnd:
      return {.response = end_session(call)};
    case kLayer:
      return {.response = choose_layer(call)};
    case kCreateEvents:
      return {.response = create_event_stream(call, events)};
    case kReadEvents:
      return read_events(call, events);
    case kEndEvents:
      return {.response = end_event_stream(call, events)};
  }
  std::unreachable();
}

}  // namespace

Answer Endpoints::handle(const session::Moment& moment, const session::Client& client,
                         const http::Request& request) {
  const http::Route route = router().match(request.method, request.path);
  if (const auto* match = std::get_if<http::RouteMatch>(&route)) {
    const auto role = request.path.starts_with("/whip/") ? signalling::LegRole::publication
                                                         : signalling::LegRole::subscription;
    return perform({desk_, settings_, moment, client, request, match->captures, role},
                   match->handler, events_);
  }
  if (const auto* other = std::get_if<http::RouteMethodNotAllowed>(&route)) {
    if (request.method == Method::options) return {.response = options(request, other->allowed)};
    return {.response = http::method_not_allowed(other->allowed)};
  }
  if (std::holds_alternative<http::RouteBadPath>(route)) {
    return {.response = refusal(400, "bad_request", "the path is not well-formed")};
  }
  return {.response = refusal(404, "not_found", "there is nothing at this path")};
}

}  // namespace runnel::whip
