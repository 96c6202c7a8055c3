// The page for people and the client module, as answers of HTTP.
#pragma once

#include <optional>

#include "core/http/request.h"
#include "core/http/response.h"

namespace runnel::daemon {

class WebPages {
 public:
  /// Of GET or HEAD of `/`, `/watch/{stream}`, `/runnel.js` and `/web/{folder}/{file}`: the file,
  /// or 304 when the client names its ETag (RFC 9110 §13.1.2). Whoever may reach the server may
  /// have them: there are no secrets in them, and none can be put in. Pages load nothing from
  /// elsewhere and run no script that stands in them (Content Security Policy Level 3); `/watch/`
  /// alone may be framed by other sites. nullopt: there is no such file.
  [[nodiscard]] static std::optional<http::Response> answer(const http::Request& request);
};

}  // namespace runnel::daemon
