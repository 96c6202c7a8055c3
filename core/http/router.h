// Finds what a method and a path ask for: patterns such as /v1/streams/{name} with their handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/http/request.h"

namespace runnel::http {

/// The caller's number of what shall handle a request, such as the value of an enumeration.
using HandlerId = std::uint32_t;

struct RouteMatch {
  HandlerId handler = 0;
  /// What the pattern's {names} matched, decoded, in the order of the pattern. Valid UTF-8 without
  /// control characters, never empty, never "." or ".."; may hold '/' (sent as %2F).
  std::vector<std::string> captures = {};
};
/// 404: no pattern fits.
struct RouteNotFound {};
/// 405: patterns fit, none with this method. `allowed` answers OPTIONS as well.
struct RouteMethodNotAllowed {
  std::vector<Method> allowed = {};
};
/// 400: a pattern fits, but a segment does not decode to what RouteMatch promises.
struct RouteBadPath {};

using Route = std::variant<RouteMatch, RouteNotFound, RouteMethodNotAllowed, RouteBadPath>;

/// Built once, then only asked. Literal segments win over {names}.
class Router {
 public:
  /// `pattern` begins with '/'; a segment is a literal or a name in braces. A broken pattern, or
  /// one that is there already with this method, is a bug of ours and aborts.
  void add(Method method, std::string_view pattern, HandlerId handler);

  /// `path` as in Request::path. HEAD is matched as GET unless it has routes of its own. A path
  /// with a trailing '/' is another path.
  [[nodiscard]] Route match(Method method, std::string_view path) const;

 private:
  struct Entry {
    Method method;
    /// A literal, or "{name}".
    std::vector<std::string> segments;
    HandlerId handler;
  };
  std::vector<Entry> entries_;
};

}  // namespace runnel::http
