#include "core/session/rest.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/http/problem.h"
#include "core/http/router.h"
#include "core/session/admission.h"
#include "core/session/lifecycle.h"
#include "core/session/requests.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

enum Handler : http::HandlerId {
  kList,
  kStatistics,
  kPublish,
  kUnpublish,
  kSubscribe,
  kUpdate,
  kSubscriptionStatistics,
  kUnsubscribe,
};

constexpr std::string_view kStreams = "/v1/streams";
constexpr std::string_view kStream = "/v1/streams/{stream}";
constexpr std::string_view kPublication = "/v1/streams/{stream}/publication";
constexpr std::string_view kSubscriptions = "/v1/streams/{stream}/subscriptions";
constexpr std::string_view kSubscription = "/v1/streams/{stream}/subscriptions/{leg}";

const http::Router& router() {
  static const http::Router kRouter = [] {
    http::Router made;
    made.add(http::Method::get, kStreams, kList);
    made.add(http::Method::get, kStream, kStatistics);
    made.add(http::Method::post, kPublication, kPublish);
    made.add(http::Method::delete_, kPublication, kUnpublish);
    made.add(http::Method::post, kSubscriptions, kSubscribe);
    made.add(http::Method::patch, kSubscription, kUpdate);
    made.add(http::Method::get, kSubscription, kSubscriptionStatistics);
    made.add(http::Method::delete_, kSubscription, kUnsubscribe);
    return made;
  }();
  return kRouter;
}

RestAnswer problem(const signalling::Error& error) {
  RestAnswer answer;
  answer.status = signalling::status_of(error.code);
  answer.body = signalling::encode_problem(error);
  if (error.retry) answer.retry_after = std::chrono::ceil<std::chrono::seconds>(*error.retry);
  return answer;
}

RestAnswer not_found() {
  return problem({ErrorCode::unknown_stream, "there is nothing at this path", {}});
}

/// One call, whose session is known.
class RestCall {
 public:
  RestCall(DeskState& state, const Moment& moment, SessionNumber session,
           const RestRequest& request, const http::RouteMatch& match)
      : state_(state), call_{moment, session, std::nullopt}, request_(request), match_(match) {}

  RestAnswer perform() {
    switch (match_.handler) {
      case kList:
        return list();
      case kStatistics:
        return statistics({.stream = stream(), .leg = std::nullopt, .interval = std::nullopt});
      case kPublish:
        return create<signalling::Publish>("publish",
                                           std::string(kStreams) + "/" + stream() + "/publication");
      case kUnpublish:
        return unpublish();
      case kSubscribe:
        return create<signalling::Subscribe>(
            "subscribe", std::string(kStreams) + "/" + stream() + "/subscriptions/");
      case kUpdate:
        return with_leg([this](signalling::LegNumber leg) { return update(leg); });
      case kSubscriptionStatistics:
        return with_leg([this](signalling::LegNumber leg) {
          return statistics({.stream = {}, .leg = leg, .interval = std::nullopt});
        });
      case kUnsubscribe:
        return with_leg([this](signalling::LegNumber leg) {
          return respond(handle(state_, call_, signalling::Unsubscribe{leg}));
        });
      default:
        return not_found();
    }
  }

 private:
  const std::string& stream() const { return match_.captures.front(); }
  SessionRecord& session() { return state_.sessions.at(call_.session); }

  static RestAnswer respond(const Result& result) {
    if (!result) return problem(result.error());
    RestAnswer answer;
    answer.body = signalling::encode_body(*result);
    return answer;
  }

  /// Calls `action` with the leg in the path, if it is a subscription of this session to the
  /// stream.
  template <typename Action>
  RestAnswer with_leg(Action action) {
    const std::string& text = match_.captures.back();
    signalling::LegNumber leg = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), leg);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    const auto found = is_number ? session().legs.find(leg) : session().legs.end();
    if (found == session().legs.end() || found->second.stream != stream() ||
        found->second.role != signalling::LegRole::subscription) {
      return problem({ErrorCode::unknown_leg, "there is no such subscription of yours", {}});
    }
    return action(leg);
  }

  RestAnswer list() {
    http::Request target;
    target.query = request_.query;
    return respond(handle(
        state_, call_, signalling::Watch{.prefix = target.query_parameter("prefix").value_or("")}));
  }

  RestAnswer statistics(const signalling::Stats& wish) {
    return respond(handle(state_, call_, wish));
  }

  /// `location` ends with '/' when the number of the leg is to follow.
  template <typename Verb>
  RestAnswer create(std::string_view verb, std::string location) {
    auto wish = signalling::decode_body(verb, request_.body, {.stream = stream(), .leg = {}});
    if (!wish) return problem(wish.error());
    auto& typed = std::get<Verb>(*wish);
    if (std::holds_alternative<signalling::WebSocketOffer>(typed.leg)) {
      return problem({ErrorCode::unsupported_leg,
                      "a websocket leg is made on the WebSocket that carries it",
                      {}});
    }
    const auto* webrtc = std::get_if<signalling::WebRtcOffer>(&typed.leg);
    if (webrtc != nullptr && !webrtc->offer) {
      return problem({ErrorCode::unsupported_leg,
                      "REST has no way to answer an offer of the server; offer, or use WHEP",
                      {}});
    }
    const std::optional<Result> result = handle(state_, call_, std::move(typed));
    RestAnswer answer = respond(*result);
    if (!*result) return answer;
    if (location.ends_with('/'))
      location += std::to_string(std::get<signalling::Leg>(**result).leg);
    answer.status = 201;
    answer.location = std::move(location);
    return answer;
  }

  RestAnswer update(signalling::LegNumber leg) {
    const auto wish = signalling::decode_body("update", request_.body, {.stream = {}, .leg = leg});
    if (!wish) return problem(wish.error());
    return respond(handle(state_, call_, std::get<signalling::Update>(*wish)));
  }

  /// One's own publication, or with `admin` anybody's.
  RestAnswer unpublish() {
    const StreamRecord* record = state_.find_stream(stream());
    if (record == nullptr || !record->publication) {
      return problem(
          {ErrorCode::unknown_stream, "nobody publishes '" + stream() + "' by signalling", {}});
    }
    const LegKey key = *record->publication;
    const bool is_own = key.session == call_.session;
    if (!is_own && !session().identity.permissions.allows(auth::Action::admin, stream())) {
      return problem(
          {ErrorCode::forbidden, "this token does not allow to end what others publish", {}});
    }
    if (!is_own) note(state_, Notice::What::stopped, stream(), session());
    end_leg(state_, call_.moment, key,
            is_own ? std::nullopt : std::optional(signalling::LegEndReason::stopped));
    return respond(signalling::Done{});
  }

  DeskState& state_;
  const Call call_;
  const RestRequest& request_;
  const http::RouteMatch& match_;
};

/// The session of this token.
Expected<SessionNumber> session_for(DeskState& state, const Moment& moment, const Client& client) {
  auto identity = identify_caller(state, moment, client.address, client.token);
  if (!identity) return std::unexpected(identity.error());
  const std::uint64_t token = identity->key;
  if (const auto known = state.rest_sessions.find(token); known != state.rest_sessions.end()) {
    renew_identity(state, moment, known->second, std::move(*identity));
    state.sessions.at(known->second).address = client.address;
    return known->second;
  }
  const auto opened = open_session(state, moment, std::move(*identity), client.address, {});
  if (!opened) return opened;
  state.sessions.at(*opened).is_rest = true;
  state.rest_sessions.emplace(token, *opened);
  return opened;
}

std::string allow(const std::vector<http::Method>& methods) {
  std::string text;
  for (const http::Method method : methods) {
    if (!text.empty()) text += ", ";
    text += http::to_string(method);
  }
  return text;
}

}  // namespace

RestAnswer answer_rest(DeskState& state, const Moment& moment, const Client& client,
                       const RestRequest& request) {
  const http::Route route = router().match(http::method_of(request.method), request.path);
  if (const auto* wrong = std::get_if<http::RouteMethodNotAllowed>(&route)) {
    const http::Response response = http::to_response(http::Problem{
        .status = 405, .code = "method_not_allowed", .detail = "this method is not for this path"});
    RestAnswer answer;
    answer.status = response.status;
    answer.body = response.body;
    answer.allow = allow(wrong->allowed);
    return answer;
  }
  if (std::holds_alternative<http::RouteBadPath>(route)) {
    return problem({ErrorCode::bad_request, "the path is not encoded as it should be", {}});
  }
  const auto* match = std::get_if<http::RouteMatch>(&route);
  if (match == nullptr) return not_found();
  const auto session = session_for(state, moment, client);
  if (!session) return problem(session.error());
  RestAnswer answer = RestCall(state, moment, *session, request, *match).perform();
  if (state.sessions.at(*session).legs.empty()) {
    end_session(state, moment, *session);
  } else {
    state.deadlines.clear({Due::Kind::hold, static_cast<std::uint64_t>(*session)});
  }
  return answer;
}

}  // namespace runnel::session
