#include "core/whip/sessions.h"

#include <charconv>
#include <expected>
#include <utility>

#include "core/http/percent_encoding.h"
#include "core/negotiation/trickle_fragment.h"
#include "core/whip/event_streams.h"
#include "core/whip/fields.h"
#include "core/whip/refusal.h"

namespace runnel::whip {
namespace {

using signalling::Error;
using signalling::ErrorCode;

Error bad_request(ErrorCode code, std::string text) {
  return {.code = code, .text = std::move(text), .retry = std::nullopt};
}

http::Response nothing(std::uint16_t status) {
  return {.status = status, .headers = {{"Cache-Control", "no-store"}}, .body = {}};
}

std::expected<relay::LayerWish, Error> first_layers(const http::Request& request) {
  relay::LayerWish wish;
  wish.rid = request.query_parameter("rid").value_or("");
  const auto height = request.query_parameter("max_height");
  if (!height) return wish;
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(height->data(), height->data() + height->size(), number);
  if (error != std::errc{} || end != height->data() + height->size() || number == 0) {
    return std::unexpected(
        bad_request(ErrorCode::bad_request, "'max_height' must be a number of pixels"));
  }
  wish.max_height = number;
  return wish;
}

std::expected<bool, Error> takes_over(const http::Request& request) {
  const auto value = request.query_parameter("take_over");
  if (!value || *value == "false" || *value == "0") return false;
  if (*value == "true" || *value == "1") return true;
  return std::unexpected(
      bad_request(ErrorCode::bad_request, "'take_over' must be true or false (or 1 or 0)"));
}

std::expected<session::NewResource, Error> create(const Call& call) {
  std::string offer(call.body());
  if (call.is_publication()) {
    if (offer.empty()) {
      return std::unexpected(bad_request(ErrorCode::bad_sdp, "the body must be an offer in SDP"));
    }
    const auto take_over = takes_over(call.request);
    if (!take_over) return std::unexpected(take_over.error());
    return call.desk.create_resource(
        call.moment, call.client,
        session::PublishByOffer{call.stream(), std::move(offer), *take_over});
  }
  auto layers = first_layers(call.request);
  if (!layers) return std::unexpected(std::move(layers.error()));
  return call.desk.create_resource(
      call.moment, call.client,
      session::SubscribeByOffer{call.stream(), std::move(offer), std::move(*layers)});
}

/// What the extensions of WHEP are reached by.
void add_extensions(const std::string& path, http::Response& response) {
  add_link(path + "/events", "urn:ietf:params:whep:ext:core:server-sent-events",
           "; events=\"" + list_of_events() + "\"", response);
  add_link(path + "/layer", "urn:ietf:params:whep:ext:core:layer", {}, response);
}

http::Response to_patch_with(const Call& call) {
  return wrong_type("Accept-Patch", call.is_publication()
                                        ? "application/trickle-ice-sdpfrag"
                                        : "application/trickle-ice-sdpfrag, application/sdp");
}

http::Response take_answer(const Call& call, const session::ResourceStatus& status) {
  if (if_match(call.request, status.entity_tag) == Condition::failed) {
    return refusal(412, "precondition_failed", "If-Match names another ICE session");
  }
  const auto taken =
      call.desk.answer_resource(call.moment, call.client, call.resource(), call.body());
  return taken ? nothing(204) : refusal(taken.error());
}

http::Response restart(const Call& call, const negotiation::TrickleFragment& fragment) {
  if (fragment.ufrag.empty() || fragment.password.empty()) {
    return refusal(bad_request(ErrorCode::bad_sdp,
                               "an ICE restart needs a=ice-ufrag and a=ice-pwd, both new"));
  }
  auto restarted = call.desk.restart_resource(call.moment, call.client, call.resource(),
                                              fragment.ufrag, fragment.password);
  if (!restarted) return refusal(restarted.error());
  http::Response response = http::Response::text(kFragment, std::move(restarted->fragment));
  response.headers.add("ETag", std::move(restarted->entity_tag));
  response.headers.add("Cache-Control", "no-store");
  return response;
}

http::Response take_fragment(const Call& call, const session::ResourceStatus& status) {
  const Condition condition = if_match(call.request, status.entity_tag);
  if (condition == Condition::missing) {
    return refusal(428, "precondition_required",
                   "If-Match must say which ICE session is meant: by the ETag of the last "
                   "response, or by *");
  }
  const auto fragment = negotiation::parse_trickle_fragment(call.body());
  if (!fragment) return refusal(bad_request(ErrorCode::bad_sdp, fragment.error().to_string()));
  if (condition == Condition::failed) {
    return refusal(412, "precondition_failed", "If-Match names another ICE session");
  }
  const auto differs = [](const std::string& ours, const std::string& theirs) {
    return !theirs.empty() && theirs != ours;
  };
  const bool is_restart =
      !status.peer_ufrag.empty() && (differs(status.peer_ufrag, fragment->ufrag) ||
                                     differs(status.peer_password, fragment->password));
  return is_restart ? restart(call, *fragment) : nothing(204);
}

}  // namespace

std::string path_of_session(const Call& call, std::string_view id) {
  std::string path = call.is_publication() ? "/whip/" : "/whep/";
  path += http::percent_encode(call.stream());
  return path.append("/").append(id);
}

http::Response create_session(const Call& call) {
  const bool asks_for_offer = !call.is_publication() && call.request.body.empty();
  if (!asks_for_offer && !has_media_type(call.request, kSdp)) {
    return wrong_type("Accept-Post", kSdp);
  }
  auto made = create(call);
  if (!made) return refusal(made.error());
  const std::string path = path_of_session(call, made->id);
  http::Response response = http::Response::text(kSdp, std::move(made->sdp));
  response.status = 201;
  response.headers.add("Location", path);
  response.headers.add("ETag", std::move(made->entity_tag));
  response.headers.add("Accept-Patch",
                       std::string(kFragment) + (asks_for_offer ? ", application/sdp" : ""));
  response.headers.add("Cache-Control", "no-store");
  add_ice_servers(call.settings, response);
  if (!call.is_publication()) add_extensions(path, response);
  return response;
}

http::Response show_session(const Call& call) {
  auto status = call.desk.status_of_resource(call.moment, call.client, call.resource());
  if (!status) return refusal(status.error());
  http::Response response = nothing(204);
  response.headers.add("ETag", std::move(status->entity_tag));
  return response;
}

http::Response patch_session(const Call& call) {
  const bool is_answer = !call.is_publication() && has_media_type(call.request, kSdp);
  if (!is_answer && !has_media_type(call.request, kFragment)) return to_patch_with(call);
  const auto status = call.desk.status_of_resource(call.moment, call.client, call.resource());
  if (!status) return refusal(status.error());
  return is_answer ? take_answer(call, *status) : take_fragment(call, *status);
}

http::Response end_session(const Call& call) {
  const auto ended = call.desk.end_resource(call.moment, call.client, call.resource());
  return ended ? nothing(200) : refusal(ended.error());
}

}  // namespace runnel::whip
