#include "core/whip/fields.h"

#include <utility>

#include "core/http/characters.h"

namespace runnel::whip {
namespace {

/// RFC 9110 §8.8.3: the bytes between the quotation marks of an opaque tag.
constexpr bool is_tag_character(char c) noexcept {
  return c != '"' && c != ' ' && !http::is_control(c);
}

/// Takes one entity tag, quotation marks included, off the front; empty: there is none.
std::string_view take_tag(std::string_view& text) noexcept {
  const std::size_t begin = text.starts_with("W/") ? 2 : 0;
  if (begin >= text.size() || text[begin] != '"') return {};
  std::size_t end = begin + 1;
  while (end < text.size() && is_tag_character(text[end])) ++end;
  if (end == text.size() || text[end] != '"') return {};
  const std::string_view tag = text.substr(0, end + 1);
  text.remove_prefix(tag.size());
  return tag;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

}  // namespace

bool has_media_type(const http::Request& request, std::string_view type) {
  if (request.headers.count("Content-Type") != 1) return false;
  const std::string_view value = *request.headers.find("Content-Type");
  return http::equal_ignoring_case(http::trimmed(value.substr(0, value.find(';'))), type);
}

Condition if_match(const http::Request& request, std::string_view entity_tag) {
  if (!request.headers.contains("If-Match")) return Condition::missing;
  const std::string list = request.headers.combined("If-Match");
  std::string_view rest = http::trimmed(list);
  if (rest == "*") return Condition::met;
  bool is_met = false;
  while (!rest.empty()) {
    const std::string_view tag = take_tag(rest);
    if (tag.empty()) return Condition::failed;
    // Strong comparison: a weak one never fits.
    is_met = is_met || tag == entity_tag || tag == "\"*\"";
    rest = http::trimmed(rest);
    if (!rest.empty() && std::exchange(rest, http::trimmed(rest.substr(1))).front() != ',') {
      return Condition::failed;
    }
  }
  return is_met ? Condition::met : Condition::failed;
}

void add_ice_servers(const Settings& settings, http::Response& response) {
  for (const IceServer& server : settings.ice_servers) {
    std::string attributes;
    if (!server.username.empty()) {
      attributes = "; username=" + quoted(server.username) +
                   "; credential=" + quoted(server.credential) + "; credential-type=\"password\"";
    }
    for (const std::string& url : server.urls) add_link(url, "ice-server", attributes, response);
  }
}

void add_link(std::string_view path, std::string_view relation, std::string_view attributes,
              http::Response& response) {
  std::string link = "<";
  link.append(path).append(">; rel=\"").append(relation).append("\"").append(attributes);
  response.headers.add("Link", std::move(link));
}

}  // namespace runnel::whip
