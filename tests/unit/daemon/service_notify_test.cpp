// What a service manager hears, on sockets with a path and on abstract ones.
#include "daemon/service_notify.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "daemon/file_descriptor.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;

// A service manager's socket; `name` as in NOTIFY_SOCKET.
class Manager {
 public:
  explicit Manager(const std::string& name)
      : name_(name), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  }
  ~Manager() {
    if (name_[0] == '/') ::unlink(name_.c_str());
  }
  std::string next() {
    pollfd waiting{socket_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, 10'000) != 1) return "(nothing)";
    std::array<char, 256> bytes;
    const ssize_t length = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<std::size_t>(length)};
  }

 private:
  std::string name_;
  FileDescriptor socket_;
};

std::string unique_name(const char* prefix) {
  return prefix + std::to_string(::getpid());
}

class Environment {
 public:
  ~Environment() {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  }
  void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
};

TEST(ServiceNotify, SpeaksToASocketWithAPath) {
  const std::string path = testing::TempDir() + unique_name("notify-");
  Manager manager(path);
  const ServiceNotify notify(ServiceManager{.notify_socket = path, .watchdog = std::nullopt});
  notify.ready("relaying 2 streams");
  notify.still_alive();
  notify.stopping();
  EXPECT_EQ(manager.next(), "READY=1\nSTATUS=relaying 2 streams");
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  EXPECT_EQ(manager.next(), "STOPPING=1\nSTATUS=saying goodbye");
}

TEST(ServiceNotify, SpeaksToAnAbstractSocket) {
  const std::string name = unique_name("@runnel-notify-");
  Manager manager(name);
  ServiceNotify(ServiceManager{.notify_socket = name, .watchdog = std::nullopt}).still_alive();
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
}

TEST(ServiceNotify, IsSilentWithoutAManager) {
  const ServiceNotify nobody(std::nullopt);
  nobody.ready("relaying");
  EXPECT_FALSE(nobody.watchdog_interval());
  const ServiceNotify gone(ServiceManager{.notify_socket = "/nowhere", .watchdog = std::nullopt});
  gone.ready("relaying");
  const ServiceNotify too_long(
      ServiceManager{.notify_socket = "/" + std::string(200, 'x'), .watchdog = std::nullopt});
  too_long.ready("relaying");
}

TEST(ServiceManager, IsFoundInTheEnvironment) {
  Environment environment;
  EXPECT_FALSE(ServiceManager::from_environment());
  environment.set("NOTIFY_SOCKET", "relative");
  EXPECT_FALSE(ServiceManager::from_environment());
  environment.set("NOTIFY_SOCKET", "/run/notify");
  ASSERT_TRUE(ServiceManager::from_environment());
  EXPECT_EQ(ServiceManager::from_environment()->notify_socket, "/run/notify");
  EXPECT_FALSE(ServiceManager::from_environment()->watchdog);
}

TEST(ServiceManager, WatchesOnlyTheProcessItMeans) {
  Environment environment;
  environment.set("NOTIFY_SOCKET", "/run/notify");
  environment.set("WATCHDOG_USEC", "20000000");
  EXPECT_EQ(ServiceManager::from_environment()->watchdog, 20s);
  environment.set("WATCHDOG_PID", std::to_string(::getpid()));
  EXPECT_EQ(ServiceManager::from_environment()->watchdog, 20s);
  environment.set("WATCHDOG_PID", "1");
  EXPECT_FALSE(ServiceManager::from_environment()->watchdog);
  environment.set("WATCHDOG_PID", std::to_string(::getpid()));
  environment.set("WATCHDOG_USEC", "soon");
  EXPECT_FALSE(ServiceManager::from_environment()->watchdog);
}

TEST(ServiceNotify, ReportsTwiceInEachWatchdogInterval) {
  const ServiceNotify notify(ServiceManager{.notify_socket = "/nowhere", .watchdog = 20s});
  EXPECT_EQ(notify.watchdog_interval(), 10s);
}

}  // namespace
}  // namespace runnel::daemon
