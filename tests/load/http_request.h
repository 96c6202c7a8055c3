// One HTTP request on a connection of its own, with a session description in its body.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "core/base/address.h"

namespace runnel::load {

struct HttpResponse {
  int status = 0;
  std::string location;  // as it was said; may be empty
  std::string body;
};

/// Waits for the response. An error is a sentence.
[[nodiscard]] std::expected<HttpResponse, std::string> request(const SocketAddress& server,
                                                               std::string_view method,
                                                               std::string_view path,
                                                               std::string_view body);

}  // namespace runnel::load
