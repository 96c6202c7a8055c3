// Takes request targets apart.
#include "core/http/request_target.h"

#include <algorithm>

#include "core/http/characters.h"
#include "core/http/percent_encoding.h"

namespace runnel::http {
namespace {

/// What stands behind "http://" or "https://"; nullopt when the target is not in absolute form.
std::optional<std::string_view> after_scheme(std::string_view target) noexcept {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (equal_ignoring_case(target.substr(0, scheme.size()), scheme)) {
      return target.substr(scheme.size());
    }
  }
  return std::nullopt;
}

RequestTargetView split_query(std::string_view path_and_query) noexcept {
  const std::size_t mark = path_and_query.find('?');
  if (mark == std::string_view::npos) return {.path = path_and_query};
  return {.path = path_and_query.substr(0, mark), .query = path_and_query.substr(mark + 1)};
}

bool is_target_character(char c) noexcept {
  return c > ' ' && c < '\x7F' && c != '#';
}

std::unexpected<RequestError> refuse(std::uint16_t status, std::string_view text) {
  return std::unexpected(RequestError{status, text});
}

std::expected<RequestTargetView, RequestError> parse_absolute_form(std::string_view rest) {
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, end);
  if (authority.empty() || !is_host(authority)) {
    return refuse(400, "the request target names no valid host");
  }
  RequestTargetView target = split_query(rest.substr(end));
  if (target.path.empty()) target.path = "/";
  target.authority = authority;
  return target;
}

}  // namespace

bool is_host(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) || std::string_view("-._~%:[]!$&'()*+;=").contains(c);
  });
}

std::expected<RequestTargetView, RequestError> parse_request_target(std::string_view method,
                                                                    std::string_view target) {
  if (!std::ranges::all_of(target, is_target_character) || !is_percent_encoded(target)) {
    return refuse(400, "the request target is not a valid URI");
  }
  if (method == "CONNECT") return refuse(501, "CONNECT is not served: this is not a proxy");
  if (target.starts_with('/')) return split_query(target);
  if (const auto rest = after_scheme(target)) return parse_absolute_form(*rest);
  if (target == "*" && method == "OPTIONS") return RequestTargetView{.path = target};
  return refuse(400, "the request target is neither a path nor an http URI");
}

}  // namespace runnel::http
