#include "daemon/signalling/listeners.h"

#include "daemon/bind_failure.h"

namespace runnel::daemon {

std::expected<std::vector<TcpListener>, std::vector<config::Problem>> bind_listeners(
    const std::vector<config::Listen>& addresses) {
  std::vector<TcpListener> listeners;
  std::vector<config::Problem> problems;
  for (const config::Listen& listen : addresses) {
    auto listener = TcpListener::bind(listen.address);
    if (listener) {
      listeners.push_back(std::move(*listener));
    } else {
      problems.push_back(
          explain_bind_failure(Transport::tcp, listen.address, listen.origin, listener.error()));
    }
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return listeners;
}

}  // namespace runnel::daemon
