// Paths, queries and origins: what is captured keeps its promises, and what is encoded is decoded.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/base/utf8.h"
#include "core/http/origin.h"
#include "core/http/percent_encoding.h"
#include "core/http/request_target.h"
#include "core/http/router.h"

namespace {

using namespace runnel::http;

const Router& router() {
  static const Router instance = [] {
    Router made;
    made.add(Method::get, "/v1/streams", 1);
    made.add(Method::get, "/v1/streams/{name}", 2);
    made.add(Method::get, "/v1/streams/special", 3);
    made.add(Method::delete_, "/v1/streams/{name}/subscriptions/{id}", 4);
    made.add(Method::get, "/{any}/{thing}", 5);
    return made;
  }();
  return instance;
}

void check_route(Method method, std::string_view path) {
  const Route route = router().match(method, path);
  const auto* match = std::get_if<RouteMatch>(&route);
  if (match == nullptr) return;
  for (const std::string& captured : match->captures) {
    RUNNEL_CHECK(!captured.empty() && captured != "." && captured != ".." &&
                 runnel::is_valid_utf8(captured));
    RUNNEL_CHECK(std::ranges::none_of(
        captured, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; }));
    RUNNEL_CHECK(percent_decode(percent_encode(captured)) == captured);
  }
}

void check_query(std::string_view query) {
  Request request;
  request.query = query;
  for (const char* name : {"token", "", "a b"}) (void)request.query_parameter(name);
  // What we encode can be found again, whatever stands before it.
  request.query = "own=" + percent_encode(query) + "&" + request.query;
  RUNNEL_CHECK(request.query_parameter("own") == query);
}

void check_origin(std::string_view origin) {
  const std::vector<std::string> origins{std::string(origin)};
  const auto list = OriginList::parse(origins);
  if (list) RUNNEL_CHECK(list->allows(origin));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Method method : {Method::get, Method::head, Method::delete_}) {
    check_route(method, text);
    check_route(method, "/v1/streams/" + std::string(text));
  }
  if (const auto target = parse_request_target("GET", text)) {
    RUNNEL_CHECK(target->path.starts_with('/'));
    check_route(Method::get, target->path);
  }
  check_query(text);
  check_origin(text);
  return 0;
}
