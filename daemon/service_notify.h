// Tells the service manager how we are (the sd_notify protocol).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace runnel::daemon {

/// What systemd puts into the environment of a Type=notify service.
struct ServiceManager {
  std::string notify_socket;                          // a path, or '@' and an abstract name
  std::optional<std::chrono::microseconds> watchdog;  // how often it wants to hear WATCHDOG=1

  /// From NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; nullopt when nobody asks to be told.
  [[nodiscard]] static std::optional<ServiceManager> from_environment();
};

/// Sends to the manager, if there is one. A message that does not get through is lost: the manager
/// has its own timeouts.
class ServiceNotify {
 public:
  explicit ServiceNotify(std::optional<ServiceManager> manager) : manager_(std::move(manager)) {}

  void ready(std::string_view status) const noexcept;
  void stopping() const noexcept;
  void still_alive() const noexcept;
  /// Half of what the manager allows; nullopt when it does not watch.
  [[nodiscard]] std::optional<std::chrono::milliseconds> watchdog_interval() const noexcept;

 private:
  void send(std::string_view state) const noexcept;

  std::optional<ServiceManager> manager_;
};

}  // namespace runnel::daemon
