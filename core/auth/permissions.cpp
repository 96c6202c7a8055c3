#include "core/auth/permissions.h"

#include <algorithm>

namespace runnel::auth {
namespace {

bool covers(const Grant& grant, std::string_view stream) noexcept {
  return std::ranges::any_of(grant.streams,
                             [&](const std::string& pattern) { return matches(pattern, stream); });
}

bool grants(const Grant& grant, Action action) noexcept {
  return grant.actions.contains(action) || grant.actions.contains(Action::admin);
}

}  // namespace

std::string_view to_string(Action action) noexcept {
  switch (action) {
    case Action::publish:
      return "publish";
    case Action::subscribe:
      return "subscribe";
    case Action::watch:
      return "watch";
    case Action::admin:
      return "admin";
  }
  return "unknown";
}

bool is_stream_pattern(std::string_view text) noexcept {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '*';
  };
  return !text.empty() && text.size() <= kLongestPattern && std::ranges::all_of(text, is_allowed);
}

bool matches(std::string_view pattern, std::string_view stream) noexcept {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t behind_star = kNone;  // where to go on when the characters behind a '*' do not fit
  std::size_t star_ends = 0;        // up to where that '*' stands for the stream's characters
  while (s < stream.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      behind_star = ++p;
      star_ends = s;
    } else if (p < pattern.size() && pattern[p] == stream[s]) {
      ++p;
      ++s;
    } else if (behind_star != kNone) {
      p = behind_star;
      s = ++star_ends;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == kNone;
}

Permissions Permissions::everything() {
  return {{{ActionSet(Action::admin), {"*"}}}, true};
}

bool Permissions::allows(Action action, std::string_view stream) const noexcept {
  return std::ranges::any_of(grants, [&](const Grant& grant) {
    return auth::grants(grant, action) && covers(grant, stream);
  });
}

bool Permissions::allows_anywhere(Action action) const noexcept {
  return std::ranges::any_of(grants, [&](const Grant& grant) {
    return auth::grants(grant, action) && !grant.streams.empty();
  });
}

bool Permissions::may_take_over(std::string_view stream) const noexcept {
  return take_over ? allows(Action::publish, stream) : allows(Action::admin, stream);
}

}  // namespace runnel::auth
