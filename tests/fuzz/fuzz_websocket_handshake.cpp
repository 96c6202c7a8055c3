// The opening handshake: whatever the header values are, only a right request is accepted, and what
// is answered holds no line that the client smuggled in.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/websocket/handshake.h"

namespace {

using namespace runnel::websocket;

constexpr std::array<std::string_view, 2> kProtocols{"runnel.v1", "chat"};

/// The next line of the input.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void serve(std::string_view text) {
  HandshakeRequest request;
  request.method = take_line(text);
  request.host = take_line(text);
  request.upgrade = take_line(text);
  request.connection = take_line(text);
  request.key = take_line(text);
  request.version = take_line(text);
  request.protocols = take_line(text);
  request.extensions = take_line(text);
  request.origin = take_line(text);
  const auto accepted =
      accept_handshake(request, {.protocols = kProtocols, .deflate = DeflatePolicy{}});
  if (!accepted) {
    RUNNEL_CHECK(http_status(accepted.error()) >= 400 && !to_string(accepted.error()).empty());
    return;
  }
  RUNNEL_CHECK(request.method == "GET" && request.version == "13" && request.key.size() == 24);
  const std::string head = response_head(*accepted);
  RUNNEL_CHECK(head.find("\r\n\r\n") == head.size() - 4);
  const auto lines = std::ranges::count(head, '\n');
  RUNNEL_CHECK(lines == 5 + !accepted->protocol.empty() + !accepted->extensions.empty());
}

void connect(std::string_view text) {
  const ClientHandshake handshake{.host = "localhost",
                                  .target = "/",
                                  .protocols = kProtocols,
                                  .nonce = {},
                                  .deflate = DeflatePolicy{},
                                  .more_fields = {}};
  HandshakeResponse response{.status = 101};
  response.upgrade = take_line(text);
  response.connection = take_line(text);
  response.accept = take_line(text);
  response.protocol = take_line(text);
  response.extensions = take_line(text);
  const auto agreed = check_response(response, handshake);
  if (agreed) RUNNEL_CHECK(response.accept == accept_key("AAAAAAAAAAAAAAAAAAAAAA=="));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  serve(text);
  connect(text);
  return 0;
}
