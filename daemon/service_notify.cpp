#include "daemon/service_notify.h"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/file_descriptor.h"

namespace runnel::daemon {
namespace {

std::optional<std::uint64_t> number_from_environment(const char* name) noexcept {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<ServiceManager> ServiceManager::from_environment() {
  const char* socket = std::getenv("NOTIFY_SOCKET");
  if (socket == nullptr || (socket[0] != '/' && socket[0] != '@')) return std::nullopt;
  ServiceManager manager{.notify_socket = socket, .watchdog = std::nullopt};
  const auto process = number_from_environment("WATCHDOG_PID");
  const auto interval = number_from_environment("WATCHDOG_USEC");
  const bool for_us = !process || *process == static_cast<std::uint64_t>(::getpid());
  if (interval && *interval > 0 && for_us) manager.watchdog = std::chrono::microseconds(*interval);
  return manager;
}

void ServiceNotify::ready(std::string_view status) const noexcept {
  send("READY=1\nSTATUS=" + std::string(status));
}

void ServiceNotify::stopping() const noexcept {
  send("STOPPING=1\nSTATUS=saying goodbye");
}

void ServiceNotify::still_alive() const noexcept {
  send("WATCHDOG=1");
}

std::optional<std::chrono::milliseconds> ServiceNotify::watchdog_interval() const noexcept {
  if (!manager_ || !manager_->watchdog) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(*manager_->watchdog / 2);
}

void ServiceNotify::send(std::string_view state) const noexcept {
  sockaddr_un address{};
  if (!manager_ || manager_->notify_socket.size() > sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, manager_->notify_socket.data(), manager_->notify_socket.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + manager_->notify_socket.size());
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return;
  ::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&address), length);
}

}  // namespace runnel::daemon
