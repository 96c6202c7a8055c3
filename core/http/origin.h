// The allow list of origins (RFC 6454): which web pages may talk to us through a browser.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/http/request.h"

namespace runnel::http {

/// Exact origins ("https://app.example", "http://localhost:8080"), or everything. Immutable.
class OriginList {
 public:
  /// Everything is allowed.
  OriginList() = default;
  /// `origins` may hold "*" (everything) and "null" (sandboxed pages and files). The error is a
  /// sentence that names the entry which is no origin (a path, a missing scheme). An empty list
  /// allows no page at all.
  [[nodiscard]] static std::expected<OriginList, std::string> parse(
      std::span<const std::string> origins);

  /// `origin` as in an Origin field. Scheme and host without regard to case; the default port of
  /// http, https, ws and wss may be written or left out.
  [[nodiscard]] bool allows(std::string_view origin) const;
  /// A request without Origin does not come from a page and is allowed; one with several is not.
  [[nodiscard]] bool allows(const Request& request) const;

 private:
  bool everything_ = true;
  std::vector<std::string> origins_;
};

}  // namespace runnel::http
