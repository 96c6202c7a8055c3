// Which web pages may use the server through the browser of somebody who can reach it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "core/http/origin.h"
#include "core/http/request.h"

namespace runnel::daemon {

class OriginPolicy {
 public:
  enum class Verdict : std::uint8_t {
    none,          // no page asks: there is no Origin
    own,           // a page of this very host
    listed,        // a page of a listed origin: it needs to be told so (CORS)
    refused,       // a page of elsewhere, or several origins
    foreign_host,  // the name of another host was used to reach a server that is for this machine
                   // alone, as a page does by DNS rebinding
  };

  /// `origins` besides the server's own; the error is a sentence about one of them. With
  /// `local_only`, requests must name this machine by a loopback address or as localhost.
  [[nodiscard]] static std::expected<OriginPolicy, std::string> create(
      const std::vector<std::string>& origins, bool local_only);

  [[nodiscard]] Verdict judge(const http::Request& request) const;

 private:
  OriginPolicy(http::OriginList listed, bool local_only)
      : listed_(std::move(listed)), local_only_(local_only) {}

  http::OriginList listed_;
  bool local_only_;
};

}  // namespace runnel::daemon
