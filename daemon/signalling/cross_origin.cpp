#include "daemon/signalling/cross_origin.h"

#include <string>

#include "core/http/problem.h"

namespace runnel::daemon {

bool is_preflight(const http::Request& request) {
  return request.method == http::Method::options &&
         request.headers.contains("Access-Control-Request-Method");
}

http::Response preflight_response(const http::Request& request) {
  http::Response response = http::options_response(kMethods);
  share_with_origin(request, response);
  response.headers.add("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
  response.headers.add("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match");
  response.headers.add("Access-Control-Max-Age", "600");
  return response;
}

void share_with_origin(const http::Request& request, http::Response& response) {
  const auto origin = request.headers.find("Origin");
  if (!origin) return;
  response.headers.add("Access-Control-Allow-Origin", std::string(*origin));
  response.headers.add("Access-Control-Expose-Headers",
                       "Location, Link, ETag, Accept-Patch, Accept-Post, Retry-After");
  response.headers.add("Vary", "Origin");
}

}  // namespace runnel::daemon
