// What a browser wants to hear before a page of another origin may use an answer (CORS, Fetch
// Standard §3.2).
#pragma once

#include <array>

#include "core/http/request.h"
#include "core/http/response.h"

namespace runnel::daemon {

/// The methods of the REST interface.
inline constexpr std::array kMethods{http::Method::get,     http::Method::post,
                                     http::Method::put,     http::Method::patch,
                                     http::Method::delete_, http::Method::options};

/// A browser asks whether a page may send a request.
[[nodiscard]] bool is_preflight(const http::Request& request);
/// Yes. Only for requests whose origin is allowed.
[[nodiscard]] http::Response preflight_response(const http::Request& request);
/// Lets the page that has sent `request` read the response.
void share_with_origin(const http::Request& request, http::Response& response);

}  // namespace runnel::daemon
