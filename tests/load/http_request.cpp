#include "tests/load/http_request.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <sys/socket.h>
#include <sys/time.h>

#include "tests/load/socket_address.h"
#include "tests/load/system.h"

namespace runnel::load {
namespace {

constexpr timeval kPatience{.tv_sec = 20, .tv_usec = 0};

std::unexpected<std::string> failed(const char* what) {
  return std::unexpected(std::string(what) + ": " + std::strerror(errno));
}

/// The value of a field of the head; empty without it.
std::string field(std::string_view head, std::string_view name) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (!std::ranges::equal(line.substr(0, colon), name, same)) continue;
    const std::size_t begin = line.find_first_not_of(' ', colon + 1);
    return begin == std::string_view::npos ? std::string() : std::string(line.substr(begin));
  }
  return {};
}

/// "HTTP/1.1 201 Created..."; nullopt: it is none.
std::optional<HttpResponse> parse(std::string_view text) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos || text.size() < 12) return std::nullopt;
  HttpResponse response{.status = 0,
                        .location = field(text.substr(0, end), "location"),
                        .body = std::string(text.substr(end + 4))};
  const auto [stop, error] = std::from_chars(text.data() + 9, text.data() + 12, response.status);
  if (error != std::errc{}) return std::nullopt;
  return response;
}

}  // namespace

std::expected<HttpResponse, std::string> request(const SocketAddress& server,
                                                 std::string_view method, std::string_view path,
                                                 std::string_view body) {
  const SystemAddress address(server);
  const Socket socket(::socket(address.family(), SOCK_STREAM, 0));
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket.get(), address.get(), address.size()) != 0) return failed("connect");
  std::string text(method);
  text.append(" ").append(path).append(" HTTP/1.1\r\nHost: ").append(server.to_string());
  text.append("\r\nConnection: close\r\nContent-Type: application/sdp\r\nContent-Length: ");
  text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  if (::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(text.size())) {
    return failed("send");
  }
  std::string received;
  std::array<char, 16'384> piece;
  while (true) {
    const ssize_t size = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (size < 0) return failed("recv");
    if (size == 0) break;
    received.append(piece.data(), static_cast<std::size_t>(size));
  }
  auto response = parse(received);
  if (!response) return std::unexpected("what came is no HTTP response");
  return *std::move(response);
}

}  // namespace runnel::load
