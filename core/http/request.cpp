// Methods by name, and the parameters of a query.
#include "core/http/request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/http/percent_encoding.h"

namespace runnel::http {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 8> kMethods{{
    {Method::get, "GET"},
    {Method::head, "HEAD"},
    {Method::post, "POST"},
    {Method::put, "PUT"},
    {Method::patch, "PATCH"},
    {Method::delete_, "DELETE"},
    {Method::options, "OPTIONS"},
    {Method::trace, "TRACE"},
}};

std::optional<std::string> form_decode(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced);
}

}  // namespace

std::string_view to_string(Method method) noexcept {
  for (const auto& [known, name] : kMethods) {
    if (known == method) return name;
  }
  return "";
}

Method method_of(std::string_view name) noexcept {
  for (const auto& [method, known] : kMethods) {
    if (known == name) return method;
  }
  return Method::unknown;
}

std::optional<std::string> Request::query_parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view parameter = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), parameter.size() + 1));
    const std::size_t equals = parameter.find('=');
    if (form_decode(parameter.substr(0, equals)) != name) continue;
    return equals == std::string_view::npos ? "" : form_decode(parameter.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace runnel::http
