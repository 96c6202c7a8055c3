#include "daemon/signalling/request_handler.h"

#include <array>
#include <expected>
#include <string_view>
#include <utility>

#include "core/auth/bearer.h"
#include "core/http/problem.h"
#include "core/signalling/codec.h"
#include "core/websocket/handshake.h"
#include "daemon/signalling/cross_origin.h"
#include "daemon/version.h"
#include "daemon/web/web_pages.h"

namespace runnel::daemon {
namespace {

using http::Method;
using http::Problem;
using http::Response;

enum class Page : http::HandlerId { signal, voice, version, health, readiness, schema, web };

constexpr http::HandlerId id_of(Page page) noexcept {
  return static_cast<http::HandlerId>(page);
}

constexpr std::string_view kRest = "/v1/streams";
constexpr std::array<std::string_view, 1> kSubprotocols{"runnel.v1"};
// What compression may take of a connection that asks for it: 32 KiB to compress, 32 KiB and a
// little to decompress.
constexpr websocket::DeflatePolicy kDeflate{.server_max_window_bits = 12};

bool is_rest(std::string_view path) noexcept {
  return path.starts_with(kRest) && (path.size() == kRest.size() || path[kRest.size()] == '/');
}

Response uncached(Response response) {
  response.headers.add("Cache-Control", "no-store");
  return response;
}

Response json(std::string body) {
  return Response::text("application/json", std::move(body));
}

Response plain(std::uint16_t status, std::string text) {
  Response response = uncached(Response::text("text/plain; charset=utf-8", std::move(text)));
  response.status = status;
  return response;
}

Response nothing_here() {
  return http::to_response(
      Problem{.status = 404, .code = "not_found", .detail = "there is nothing at this path"});
}

// The desk knows of GET alone.
std::string with_head(const std::string& allow) {
  return allow.starts_with("GET") ? "GET, HEAD" + allow.substr(3) : allow;
}

std::string_view view_of(const std::vector<std::uint8_t>& bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Response refusal(const signalling::Error& error) {
  Response response = Response::text("application/problem+json", signalling::encode_problem(error));
  response.status = static_cast<std::uint16_t>(signalling::status_of(error.code));
  if (error.retry) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*error.retry);
    response.headers.add("Retry-After", std::to_string(seconds.count()));
  }
  if (response.status == 401) response.headers.add("WWW-Authenticate", "Bearer");
  return uncached(std::move(response));
}

Response refusal(websocket::HandshakeError error) {
  const int status = websocket::http_status(error);
  Response response = http::to_response(Problem{.status = static_cast<std::uint16_t>(status),
                                                .code = "websocket_handshake",
                                                .detail = std::string(to_string(error))});
  if (status == 426) {
    response.headers.add("Upgrade", "websocket");
    response.headers.add("Sec-WebSocket-Version", "13");
  }
  return response;
}

// Fields that occur several times are joined, so that a second key makes the key invalid.
std::expected<websocket::AcceptedHandshake, websocket::HandshakeError> accept(
    const http::Request& request, std::span<const std::string_view> subprotocols) {
  const http::HeaderList& headers = request.headers;
  const std::string upgrade = headers.combined("Upgrade");
  const std::string connection = headers.combined("Connection");
  const std::string key = headers.combined("Sec-WebSocket-Key");
  const std::string version = headers.combined("Sec-WebSocket-Version");
  const std::string protocols = headers.combined("Sec-WebSocket-Protocol");
  const std::string extensions = headers.combined("Sec-WebSocket-Extensions");
  const websocket::HandshakeRequest handshake{
      .method = request.method_name,
      .is_http_1_1 = request.minor_version >= 1,
      .has_body = request.chunked || request.content_length.value_or(0) != 0,
      .host = request.host,
      .upgrade = upgrade,
      .connection = connection,
      .key = key,
      .version = version,
      .protocols = protocols,
      .extensions = extensions,
      .origin = {}};
  const websocket::HandshakeOptions options{
      .protocols = subprotocols,
      .is_protocol_required = !subprotocols.empty() && !protocols.empty(),
      .allowed_origins = {},  // the policy has been asked before
      .deflate = kDeflate};
  return accept_handshake(handshake, options);
}

Upgrade upgrade_to(const websocket::AcceptedHandshake& handshake,
                   session::ConnectionId connection) {
  return {websocket::response_head(handshake), connection, handshake.deflate};
}

}  // namespace

RequestHandler::RequestHandler(session::Desk& desk, OriginPolicy origins, bool token_in_query,
                               whip::Settings whip)
    : desk_(desk),
      origins_(std::move(origins)),
      token_in_query_(token_in_query),
      whip_(desk, std::move(whip)) {
  router_.add(Method::get, "/v1/signal", id_of(Page::signal));
  router_.add(Method::get, "/v1/voice/{stream}", id_of(Page::voice));
  router_.add(Method::get, "/v1/version", id_of(Page::version));
  router_.add(Method::get, "/v1/schema.json", id_of(Page::schema));
  router_.add(Method::get, "/healthz", id_of(Page::health));
  router_.add(Method::get, "/readyz", id_of(Page::readiness));
  for (const std::string_view path :
       {"/", "/watch/{stream}", "/runnel.js", "/web/{folder}/{file}"}) {
    router_.add(Method::get, path, id_of(Page::web));
  }
}

Reply RequestHandler::handle(const session::Moment& moment, const IpAddress& client,
                             const http::Request& request) {
  switch (origins_.judge(request)) {
    case OriginPolicy::Verdict::refused:
      return http::to_response(Problem{.status = 403,
                                       .code = "origin_not_allowed",
                                       .detail = "pages of this origin may not use this server"});
    case OriginPolicy::Verdict::foreign_host:
      return http::to_response(
          Problem{.status = 403,
                  .code = "host_not_allowed",
                  .detail = "without tokens this server answers to loopback addresses and "
                            "localhost alone"});
    case OriginPolicy::Verdict::none:
    case OriginPolicy::Verdict::own:
      return dispatch({moment, client, request, token_of(request)});
    case OriginPolicy::Verdict::listed:
      break;
  }
  if (is_preflight(request)) return preflight_response(request);
  Reply reply = dispatch({moment, client, request, token_of(request)});
  if (auto* response = std::get_if<Response>(&reply)) share_with_origin(request, *response);
  if (auto* events = std::get_if<EventResponse>(&reply)) {
    share_with_origin(request, events->response);
  }
  return reply;
}

Reply RequestHandler::dispatch(const Context& context) {
  const http::Request& request = context.request;
  if (is_rest(request.path)) return call_rest(context);
  if (whip::Endpoints::serves(request.path)) return call_whip(context);
  if (request.method == Method::options && request.path == "*") {
    return http::options_response(kMethods);
  }
  const http::Route route = router_.match(request.method, request.path);
  if (const auto* match = std::get_if<http::RouteMatch>(&route)) return serve(context, *match);
  if (const auto* other = std::get_if<http::RouteMethodNotAllowed>(&route)) {
    return request.method == Method::options ? http::options_response(other->allowed)
                                             : http::method_not_allowed(other->allowed);
  }
  if (std::holds_alternative<http::RouteBadPath>(route)) {
    return http::to_response(
        Problem{.status = 400, .code = "bad_request", .detail = "the path is not well-formed"});
  }
  return nothing_here();
}

Reply RequestHandler::serve(const Context& context, const http::RouteMatch& match) {
  switch (static_cast<Page>(match.handler)) {
    case Page::signal:
      return open_signalling(context);
    case Page::voice:
      return open_voice(context, match.captures.front());
    case Page::version:
      return uncached(
          json("{\"version\":\"" + std::string(version()) + "\",\"name\":\"runnel\"}\n"));
    case Page::health:
      return plain(200, "ok\n");
    case Page::readiness:
      return readiness();
    case Page::schema:
      return json(std::string(signalling::schema()));
    case Page::web:
      return WebPages::answer(context.request).value_or(nothing_here());
  }
  std::unreachable();
}

Reply RequestHandler::open_signalling(const Context& context) {
  const auto handshake = accept(context.request, kSubprotocols);
  if (!handshake) return refusal(handshake.error());
  const auto connection = desk_.connect(context.moment, context.client());
  if (!connection) return refusal(connection.error());
  return upgrade_to(*handshake, *connection);
}

Reply RequestHandler::open_voice(const Context& context, const std::string& stream) {
  using VoiceRole = session::Desk::VoiceRole;
  const std::string role = context.request.query_parameter("role").value_or("caller");
  if (role != "caller" && role != "agent") {
    return refusal(signalling::Error{.code = signalling::ErrorCode::bad_request,
                                     .text = "'role' is either caller or agent",
                                     .retry = std::nullopt});
  }
  const auto handshake = accept(context.request, {});
  if (!handshake) return refusal(handshake.error());
  const auto connection =
      desk_.connect_voice(context.moment, context.client(), stream,
                          role == "agent" ? VoiceRole::agent : VoiceRole::caller);
  if (!connection) return refusal(connection.error());
  return upgrade_to(*handshake, *connection);
}

Response RequestHandler::call_rest(const Context& context) {
  const http::Request& request = context.request;
  const session::RestAnswer answer = desk_.handle(
      context.moment, context.client(),
      {.method = request.method == Method::head ? to_string(Method::get) : request.method_name,
       .path = request.path,
       .query = request.query,
       .body = view_of(request.body)});
  if (request.method == Method::options && answer.status == 405) {
    return {.status = 204, .headers = {{"Allow", with_head(answer.allow)}}};
  }
  Response response;
  response.status = static_cast<std::uint16_t>(answer.status);
  if (!answer.body.empty()) {
    response.headers.add("Content-Type",
                         answer.status < 400 ? "application/json" : "application/problem+json");
    response.body = answer.body;
  }
  if (!answer.location.empty()) response.headers.add("Location", answer.location);
  if (!answer.allow.empty()) response.headers.add("Allow", with_head(answer.allow));
  if (answer.retry_after) {
    response.headers.add("Retry-After", std::to_string(answer.retry_after->count()));
  }
  if (answer.status == 401) response.headers.add("WWW-Authenticate", "Bearer");
  return uncached(std::move(response));
}

Reply RequestHandler::call_whip(const Context& context) {
  whip::Answer answer = whip_.handle(context.moment, context.client(), context.request);
  if (answer.reader) return EventResponse{std::move(answer.response), *answer.reader};
  return std::move(answer.response);
}

Response RequestHandler::readiness() const {
  return is_ready_ ? plain(200, "ready\n") : plain(503, "not ready\n");
}

std::string RequestHandler::token_of(const http::Request& request) const {
  if (request.headers.count("Authorization") == 1) {
    const auto token = auth::bearer_token(*request.headers.find("Authorization"));
    if (token) return std::string(*token);
  }
  if (token_in_query_) return request.query_parameter("token").value_or("");
  return {};
}

}  // namespace runnel::daemon
