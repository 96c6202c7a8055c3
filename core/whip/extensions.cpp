#include "core/whip/extensions.h"

#include <algorithm>
#include <charconv>
#include <expected>
#include <utility>

#include "core/signalling/codec.h"
#include "core/signalling/field.h"
#include "core/signalling/json_document.h"
#include "core/whip/fields.h"
#include "core/whip/refusal.h"
#include "core/whip/sessions.h"

namespace runnel::whip {
namespace {

using signalling::Error;
using signalling::ErrorCode;
using signalling::Field;

constexpr std::uint64_t kMostPixels = 16'384;

http::Response done() {
  return {.status = 200, .headers = {{"Cache-Control", "no-store"}}, .body = {}};
}

/// Calls `read` with the outermost object of `text`.
template <typename T, typename Read>
std::expected<T, Error> read_json(std::string_view text, Read read) {
  const auto document = signalling::json::parse_object(text);
  if (!document) {
    return std::unexpected(Error{ErrorCode::bad_json, document.error(), std::nullopt});
  }
  std::optional<Error> error;
  T result = read(Field(*document, {}, error));
  if (error) return std::unexpected(std::move(*error));
  return result;
}

std::expected<relay::LayerWish, Error> read_wish(std::string_view body) {
  return read_json<relay::LayerWish>(body, [](const Field& object) {
    relay::LayerWish wish;
    const auto rid = [](const Field& field) -> std::optional<std::string> {
      const auto text = field.text({.lowest = 1, .highest = signalling::kMaxMidLength});
      return text ? std::optional<std::string>(*text) : std::nullopt;
    };
    object.read_into(wish.rid, "encodingId", rid);
    object.read_into(wish.rid, "rid", rid);
    if (const auto field = object.find("maxHeight")) {
      if (const auto height = field->integer({.lowest = 1, .highest = kMostPixels})) {
        wish.max_height = static_cast<std::uint32_t>(*height);
      }
    }
    for (const char* name :
         {"spatialLayerId", "temporalLayerId", "maxSpatialLayerId", "maxTemporalLayerId"}) {
      if (const auto field = object.find(name)) {
        field->refuse(ErrorCode::unsupported_leg,
                      "is not possible: whole encodings are chosen, by rid or maxHeight");
      }
    }
    return wish;
  });
}

EventSet everything() {
  EventSet all;
  all.fill(true);
  return all;
}

std::expected<EventSet, Error> read_wanted(std::string_view body) {
  if (body.empty()) return everything();
  // The reader of JSON takes objects.
  const std::string object = "{\"events\":" + std::string(body) + "}";
  return read_json<EventSet>(object, [](const Field& outer) {
    EventSet wanted{};
    const auto list = outer.require("events", "an array");
    if (!list) return wanted;
    for (const Field& item : list->items({.lowest = 0, .highest = 16})) {
      const auto name = item.text({.lowest = 1, .highest = 32});
      if (!name) break;
      const auto* const kind =
          std::ranges::find(kEventKinds, *name, [](EventKind known) { return to_string(known); });
      if (kind == kEventKinds.end()) {
        item.refuse("is no event of this server, which has " + list_of_events());
        break;
      }
      wanted[static_cast<std::size_t>(*kind)] = true;
    }
    return wanted;
  });
}

}  // namespace

http::Response choose_layer(const Call& call) {
  if (!has_media_type(call.request, kJson)) return wrong_type("Accept-Post", kJson);
  const auto wish = read_wish(call.body());
  if (!wish) return refusal(wish.error());
  const auto chosen = call.desk.choose_layers(call.moment, call.client, call.resource(), *wish);
  return chosen ? done() : refusal(chosen.error());
}

http::Response create_event_stream(const Call& call, EventStreams& events) {
  if (!call.request.body.empty() && !has_media_type(call.request, kJson)) {
    return wrong_type("Accept-Post", kJson);
  }
  const auto status = call.desk.status_of_resource(call.moment, call.client, call.resource());
  if (!status) return refusal(status.error());
  const auto wanted = read_wanted(call.body());
  if (!wanted) return refusal(wanted.error());
  const auto number = events.create(call.moment.now, call.stream(), call.id(), *wanted);
  if (!number) {
    return refusal(Error{ErrorCode::limit_reached,
                         "this session has as many event streams as it may have", std::nullopt});
  }
  http::Response response = done();
  response.status = 201;
  response.headers.add("Location",
                       path_of_session(call, call.id()) + "/events/" + std::to_string(*number));
  return response;
}

http::Response end_event_stream(const Call& call, EventStreams& events) {
  const auto status = call.desk.status_of_resource(call.moment, call.client, call.resource());
  if (!status) return refusal(status.error());
  const auto name = name_of_event_stream(call);
  if (!name || !events.remove(*name)) {
    return refusal(404, "unknown_event_stream", "there is no such event stream");
  }
  return done();
}

std::optional<EventStreams::Name> name_of_event_stream(const Call& call) {
  const std::string& text = call.captures[2];
  EventStreams::Name name{.resource = call.id()};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), name.number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return name;
}

}  // namespace runnel::whip
