// Compares origins.
#include "core/http/origin.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/http/characters.h"
#include "core/http/request_target.h"

namespace runnel::http {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kDefaultPorts{{
    {"http", ":80"},
    {"https", ":443"},
    {"ws", ":80"},
    {"wss", ":443"},
}};

bool is_scheme(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) || c == '+' || c == '-' || c == '.';
  });
}

/// In small letters, without the default port; nullopt: no origin.
std::optional<std::string> normalized(std::string_view origin) {
  std::string text(origin);
  std::ranges::transform(text, text.begin(), to_lower);
  if (text == "null") return text;
  const std::size_t separator = text.find("://");
  if (separator == std::string::npos) return std::nullopt;
  const std::string_view scheme = std::string_view(text).substr(0, separator);
  const std::string_view host = std::string_view(text).substr(separator + 3);
  if (!is_scheme(scheme) || host.empty() || !is_host(host) || host.contains('*')) {
    return std::nullopt;
  }
  for (const auto& [known, port] : kDefaultPorts) {
    if (scheme == known && host.ends_with(port)) {
      text.resize(text.size() - port.size());
      break;
    }
  }
  return text;
}

}  // namespace

std::expected<OriginList, std::string> OriginList::parse(std::span<const std::string> origins) {
  OriginList list;
  list.everything_ = false;
  for (const std::string& origin : origins) {
    if (origin == "*") {
      list.everything_ = true;
      continue;
    }
    std::optional<std::string> normal = normalized(origin);
    if (!normal) {
      return std::unexpected("\"" + origin +
                             "\" is not an origin; write scheme and host, such as "
                             "\"https://app.example\" or \"http://localhost:8080\", or \"*\"");
    }
    list.origins_.push_back(std::move(*normal));
  }
  return list;
}

bool OriginList::allows(std::string_view origin) const {
  if (everything_) return true;
  const std::optional<std::string> normal = normalized(origin);
  return normal && std::ranges::find(origins_, *normal) != origins_.end();
}

bool OriginList::allows(const Request& request) const {
  const std::size_t count = request.headers.count("Origin");
  if (count == 0) return true;
  return count == 1 && allows(request.headers.find("Origin").value_or(""));
}

}  // namespace runnel::http
