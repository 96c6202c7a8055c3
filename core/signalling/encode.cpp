// From answers, errors and events to text: the envelopes.
#include <algorithm>
#include <variant>

#include "core/signalling/codec.h"
#include "core/signalling/encode_answer.h"

namespace runnel::signalling {
namespace {

/// RFC 9110 §15: what a problem of the type about:blank is called.
std::string_view phrase_of(int status) noexcept {
  struct Phrase {
    int status;
    std::string_view text;
  };
  constexpr Phrase kPhrases[] = {
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {409, "Conflict"},
      {413, "Content Too Large"},
      {429, "Too Many Requests"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
  };
  const auto* found = std::ranges::find(kPhrases, status, &Phrase::status);
  return found == std::ranges::end(kPhrases) ? std::string_view("Error") : found->text;
}

void write_body(JsonWriter& json, const Answer& answer) {
  std::visit([&](const auto& body) { write_members(json, body); }, answer);
}

void write_retry(JsonWriter& json, const Error& error) {
  if (error.retry) json.number("retry_ms", error.retry->count());
}

}  // namespace

std::string encode(RequestId id, const Answer& answer) {
  JsonWriter json;
  json.begin_object();
  json.number("re", id);
  json.begin_object("ok");
  write_body(json, answer);
  json.end_object();
  json.end_object();
  return json.take();
}

std::string encode(std::optional<RequestId> id, const Error& error) {
  JsonWriter json;
  json.begin_object();
  if (id) {
    json.number("re", *id);
  } else {
    json.null("re");
  }
  json.begin_object("error");
  json.text("code", to_string(error.code));
  json.number("status", status_of(error.code));
  json.text("text", error.text);
  write_retry(json, error);
  json.end_object();
  json.end_object();
  return json.take();
}

std::string encode(const Event& event) {
  JsonWriter json;
  json.begin_object();
  std::visit([&](const auto& body) { write_members(json, body); }, event);
  json.end_object();
  return json.take();
}

std::string encode_body(const Answer& answer) {
  JsonWriter json;
  json.begin_object();
  write_body(json, answer);
  json.end_object();
  return json.take();
}

std::string encode_problem(const Error& error) {
  const int status = status_of(error.code);
  JsonWriter json;
  json.begin_object();
  json.text("type", "about:blank");
  json.text("title", phrase_of(status));
  json.number("status", status);
  json.text("detail", error.text);
  json.text("code", to_string(error.code));
  write_retry(json, error);
  json.end_object();
  return json.take();
}

}  // namespace runnel::signalling
