// Matches paths with patterns, segment by segment.
#include "core/http/router.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/base/utf8.h"
#include "core/http/characters.h"
#include "core/http/percent_encoding.h"

namespace runnel::http {
namespace {

/// "/a//b" -> "a", "", "b".
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    segments.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return segments;
}

bool is_name(std::string_view segment) noexcept {
  return segment.starts_with('{');
}

/// Literals are told from names, and so tell patterns from each other.
bool same_shape(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::equal(a, b, [](std::string_view x, std::string_view y) {
    return (is_name(x) && is_name(y)) || x == y;
  });
}

std::optional<std::string> capture(std::string_view segment) {
  std::optional<std::string> decoded = percent_decode(segment);
  if (!decoded || *decoded == "." || *decoded == ".." || !is_valid_utf8(*decoded))
    return std::nullopt;
  return std::ranges::any_of(*decoded, is_control) ? std::nullopt : decoded;
}

bool fits(const std::vector<std::string>& pattern,
          const std::vector<std::string_view>& segments) noexcept {
  return std::ranges::equal(pattern, segments,
                            [](std::string_view expected, std::string_view sent) {
                              return is_name(expected) ? !sent.empty() : expected == sent;
                            });
}

/// Whether the literal segments of `a` come before those of `b`: the more exact pattern wins.
bool is_more_exact(const std::vector<std::string>& a, const std::vector<std::string>& b) noexcept {
  return std::ranges::lexicographical_compare(
      a, b, [](std::string_view x, std::string_view y) { return !is_name(x) && is_name(y); });
}

}  // namespace

void Router::add(Method method, std::string_view pattern, HandlerId handler) {
  RUNNEL_CHECK(pattern.starts_with('/'));
  std::vector<std::string> segments;
  for (const std::string_view segment : split(pattern)) {
    RUNNEL_CHECK(!is_name(segment) || (segment.size() > 2 && segment.ends_with('}')));
    segments.emplace_back(segment);
  }
  for (const Entry& entry : entries_) {
    RUNNEL_CHECK(entry.method != method || !same_shape(entry.segments, segments));
  }
  entries_.push_back({method, std::move(segments), handler});
}

Route Router::match(Method method, std::string_view path) const {
  if (!path.starts_with('/')) return RouteNotFound{};
  const std::vector<std::string_view> segments = split(path);
  const std::vector<std::string>* pattern = nullptr;
  for (const Entry& entry : entries_) {
    if (!fits(entry.segments, segments)) continue;
    if (pattern == nullptr || is_more_exact(entry.segments, *pattern)) pattern = &entry.segments;
  }
  if (pattern == nullptr) return RouteNotFound{};

  const Entry* found = nullptr;
  RouteMethodNotAllowed not_allowed;
  for (const Entry& entry : entries_) {
    if (!same_shape(entry.segments, *pattern)) continue;
    not_allowed.allowed.push_back(entry.method);
    const bool stands_in =
        method == Method::head && entry.method == Method::get && found == nullptr;
    if (entry.method == method || stands_in) found = &entry;
  }
  if (found == nullptr) return not_allowed;

  RouteMatch match{.handler = found->handler};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!is_name((*pattern)[i])) continue;
    std::optional<std::string> captured = capture(segments[i]);
    if (!captured) return RouteBadPath{};
    match.captures.push_back(std::move(*captured));
  }
  return match;
}

}  // namespace runnel::http
