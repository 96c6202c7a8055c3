// From text to a request: the envelope, and which function reads the rest.
#include <algorithm>
#include <exception>

#include "core/signalling/codec.h"
#include "core/signalling/decode_request.h"
#include "core/signalling/json_document.h"

namespace runnel::signalling {
namespace {

constexpr std::uint64_t kLargestId = (std::uint64_t{1} << 53) - 1;  // in a JavaScript number
constexpr std::size_t kLongestVerb = 64;

struct Verb {
  std::string_view name;
  Request (*decode)(const Field& request);
};

template <auto Decode>
Request as_request(const Field& request) {
  return Decode(request);
}

constexpr Verb kVerbs[] = {
    {"hello", as_request<decode_hello>},
    {"publish", as_request<decode_publish>},
    {"subscribe", as_request<decode_subscribe>},
    {"unpublish", as_request<decode_unpublish>},
    {"unsubscribe", as_request<decode_unsubscribe>},
    {"update", as_request<decode_update>},
    {"answer", as_request<decode_peer_answer>},
    {"restart", as_request<decode_restart>},
    {"watch", as_request<decode_watch>},
    {"stats", as_request<decode_stats>},
    {"report", as_request<decode_report>},
    {"bye", as_request<decode_bye>},
};

Error unknown_verb(std::string_view name) {
  std::string known;
  for (const Verb& verb : kVerbs) known += (known.empty() ? "" : ", ") + std::string(verb.name);
  return {ErrorCode::unknown_verb, "do: " + quote(name) + " is not known here; known are " + known,
          std::nullopt};
}

std::expected<Request, Error> decode_verb(std::string_view name, const json::Node& node) {
  const auto* verb = std::ranges::find(kVerbs, name, &Verb::name);
  if (verb == std::ranges::end(kVerbs)) return std::unexpected(unknown_verb(name));
  std::optional<Error> error;
  Request request = verb->decode(Field(node, "", error));
  if (error) return std::unexpected(std::move(*error));
  return request;
}

/// What the path of a REST request says stands for a field of its body, or repeats it.
void place_into(json::Node& node, std::string_view name, json::Node value,
                std::optional<Error>& error) {
  for (const json::Member& member : node.members) {
    if (member.name != name) continue;
    const bool is_same = member.value.kind == value.kind && member.value.text == value.text &&
                         member.value.integer == value.integer;
    if (!is_same) {
      Field(member.value, std::string(name), error).refuse("is another one than the path names");
    }
    return;
  }
  node.members.push_back({std::string(name), std::move(value)});
}

std::optional<Error> place(json::Node& node, const Place& place) {
  std::optional<Error> error;
  if (place.stream) {
    json::Node stream;
    stream.kind = json::Kind::string;
    stream.text = *place.stream;
    place_into(node, "stream", std::move(stream), error);
  }
  if (place.leg) {
    json::Node leg;
    leg.kind = json::Kind::integer;
    leg.integer = *place.leg;
    place_into(node, "leg", std::move(leg), error);
  }
  return error;
}

std::expected<IncomingRequest, Refusal> decode_envelope(std::string_view text) {
  auto node = json::parse_object(text);
  if (!node) {
    return std::unexpected(
        Refusal{std::nullopt, {ErrorCode::bad_json, std::move(node.error()), std::nullopt}});
  }
  std::optional<Error> error;
  const Field request(*node, "", error);
  std::optional<RequestId> id;
  if (const auto field = request.require("id", "a whole number")) {
    id = field->integer({0, kLargestId});
  }
  std::optional<std::string_view> name;
  if (const auto field = request.require("do", "a verb")) name = field->text({1, kLongestVerb});
  if (!id || !name) return std::unexpected(Refusal{id, std::move(*error)});

  auto decoded = decode_verb(*name, *node);
  if (!decoded) return std::unexpected(Refusal{id, std::move(decoded.error())});
  return IncomingRequest{*id, std::move(*decoded)};
}

Error out_of_memory() {
  return {ErrorCode::internal, "the request cannot be held in memory", std::nullopt};
}

}  // namespace

std::expected<IncomingRequest, Refusal> decode(std::string_view text) {
  try {
    return decode_envelope(text);
  } catch (const std::exception&) {
    return std::unexpected(Refusal{std::nullopt, out_of_memory()});
  }
}

std::expected<Request, Error> decode_body(std::string_view verb, std::string_view text,
                                          const Place& where) {
  try {
    auto node = json::parse_object(text.empty() ? "{}" : text);
    if (!node) {
      return std::unexpected(Error{ErrorCode::bad_json, std::move(node.error()), std::nullopt});
    }
    if (auto error = place(*node, where)) return std::unexpected(std::move(*error));
    return decode_verb(verb, *node);
  } catch (const std::exception&) {
    return std::unexpected(out_of_memory());
  }
}

}  // namespace runnel::signalling
