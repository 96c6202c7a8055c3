#include "daemon/container.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace runnel::daemon {
namespace {

namespace fs = std::filesystem;

bool is_in_container(const fs::path& root) {
  constexpr std::array<std::string_view, 5> kMarks{"docker", "kubepods", "containerd", "libpod",
                                                   "lxc"};
  std::error_code error;
  if (fs::exists(root / ".dockerenv", error) || fs::exists(root / "run/.containerenv", error)) {
    return true;
  }
  std::ifstream groups(root / "proc/1/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto is_in = [&](std::string_view mark) { return line.find(mark) != std::string::npos; };
    if (std::ranges::any_of(kMarks, is_in)) return true;
  }
  return false;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// A container's interface is one end of a pair, whose other end has another number.
bool is_one_end(const fs::path& interface) {
  return content_of(interface / "iflink") != content_of(interface / "ifindex");
}

}  // namespace

bool is_in_container_network(const fs::path& root) {
  if (!is_in_container(root)) return false;
  std::error_code error;
  bool has_any = false;
  for (const auto& interface : fs::directory_iterator(root / "sys/class/net", error)) {
    if (interface.path().filename() == "lo") continue;
    if (!is_one_end(interface.path())) return false;
    has_any = true;
  }
  return has_any;
}

}  // namespace runnel::daemon
