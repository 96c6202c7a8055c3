// Writes problem documents.
#include "core/http/problem.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace runnel::http {
namespace {

std::string_view code_of(std::uint16_t status) noexcept {
  switch (status) {
    case 413:
      return "body_too_large";
    case 414:
    case 431:
      return "head_too_large";
    case 417:
      return "expectation_failed";
    case 501:
      return "not_implemented";
    case 505:
      return "http_version_not_supported";
    default:
      return "bad_request";
  }
}

std::string allow_value(std::span<const Method> allowed) {
  std::string names;
  const auto add = [&names](Method method) {
    if (!names.empty()) names += ", ";
    names += to_string(method);
  };
  for (const Method method : allowed) {
    add(method);
    const bool head_is_named = std::ranges::find(allowed, Method::head) != allowed.end();
    if (method == Method::get && !head_is_named) add(Method::head);
  }
  return names;
}

}  // namespace

Response to_response(const Problem& problem) {
  nlohmann::ordered_json document{{"type", "about:blank"},
                                  {"title", reason_phrase(problem.status)},
                                  {"status", problem.status}};
  if (!problem.code.empty()) document["code"] = problem.code;
  if (!problem.detail.empty()) document["detail"] = problem.detail;
  for (const auto& [name, value] : problem.extra) document[name] = value;
  if (problem.retry_after.count() > 0) document["retry_ms"] = problem.retry_after.count();

  using nlohmann::ordered_json;
  Response response =
      Response::text("application/problem+json",
                     document.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n');
  response.status = problem.status;
  response.headers.add("Cache-Control", "no-store");
  if (problem.retry_after.count() > 0) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(problem.retry_after);
    response.headers.add("Retry-After", std::to_string(seconds.count()));
  }
  return response;
}

Response to_response(const RequestError& error) {
  return to_response(Problem{.status = error.status,
                             .code = std::string(code_of(error.status)),
                             .detail = std::string(error.text)});
}

Response method_not_allowed(std::span<const Method> allowed) {
  Response response = to_response(Problem{.status = 405,
                                          .code = "method_not_allowed",
                                          .detail = "this path is not served with this method"});
  response.headers.add("Allow", allow_value(allowed));
  return response;
}

Response unauthorized(std::string code, std::string detail) {
  Response response =
      to_response(Problem{.status = 401, .code = std::move(code), .detail = std::move(detail)});
  response.headers.add("WWW-Authenticate", "Bearer");
  return response;
}

Response options_response(std::span<const Method> allowed) {
  Response response{.status = 204};
  response.headers.add("Allow", allow_value(allowed));
  return response;
}

}  // namespace runnel::http
