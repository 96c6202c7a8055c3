// A WebSocket echo server around core/websocket, for conformance suites. Loopback only.
#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include "tests/websocket_echo_server/echo_connection.h"

namespace {

using namespace runnel;
using runnel::echo::EchoConnection;
using runnel::echo::Settings;

Timestamp now() {
  return Timestamp(std::chrono::steady_clock::now().time_since_epoch());
}

[[noreturn]] void fail(const char* text) {
  std::perror(text);
  std::exit(1);
}

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    std::fprintf(stderr, "Usage: websocket_echo_server PORT [--deflate] [--max-message N]\n");
    std::exit(64);
  }
  return value;
}

/// Listens, and prints the port, which the system chooses if it is 0.
int listen_on(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (listener < 0) fail("socket");
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0) fail("bind");
  if (::listen(listener, 64) != 0) fail("listen");
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return listener;
}

class Server {
 public:
  Server(int listener, const Settings& settings) : listener_(listener), settings_(settings) {}

  [[noreturn]] void run() {
    while (true) wait_once();
  }

 private:
  void wait_once() {
    std::vector<pollfd> polled{{.fd = listener_, .events = POLLIN, .revents = 0}};
    for (const auto& client : clients_) {
      polled.push_back({.fd = client->socket(), .events = client->events(), .revents = 0});
    }
    ::poll(polled.data(), polled.size(), timeout());
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      clients_[i]->handle(now(), polled[i + 1].revents);
    }
    std::erase_if(clients_, [](const auto& client) { return client->is_over(); });
    if (polled[0].revents != 0) accept_one();
  }

  /// In milliseconds, rounded up; -1: none.
  [[nodiscard]] int timeout() const {
    std::optional<Timestamp> first;
    for (const auto& client : clients_) {
      const auto due = client->next_timeout();
      if (due && (!first || *due < *first)) first = due;
    }
    if (!first) return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*first - now());
    return static_cast<int>(std::max<std::int64_t>(wait.count(), 0));
  }

  void accept_one() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK);
    if (client < 0) return;
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    clients_.push_back(std::make_unique<EchoConnection>(client, settings_));
  }

  int listener_;
  Settings settings_;
  std::vector<std::unique_ptr<EchoConnection>> clients_;
};

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  std::size_t port = 0;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--deflate") {
      settings.deflate = true;
    } else if (argument == "--max-message" && i + 1 < count) {
      settings.max_message = number(arguments[++i]);
    } else {
      port = number(argument);
    }
  }
  Server(listen_on(static_cast<std::uint16_t>(port)), settings).run();
}
