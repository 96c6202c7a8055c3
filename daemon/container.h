// Whether this process is in a container whose addresses nobody outside of it can reach.
#pragma once

#include <filesystem>

namespace runnel::daemon {

/// True in a container of Docker, Podman, Kubernetes or the like that has interfaces of its own;
/// false on the host's network. `root` is where the file system begins. Guesses by what is in it:
/// there is no call that tells.
[[nodiscard]] bool is_in_container_network(const std::filesystem::path& root = "/");

}  // namespace runnel::daemon
