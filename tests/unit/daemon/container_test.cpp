// Containers are known by what is in their file system.
#include "daemon/container.h"

#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

namespace fs = std::filesystem;

class ContainerTest : public testing::Test {
 protected:
  ContainerTest() : root_(fs::path(testing::TempDir()) / ("runnel-" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~ContainerTest() override { fs::remove_all(root_); }

  void write(const fs::path& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content << "\n";
  }
  void add_interface(const std::string& name, int index, int link) {
    write("sys/class/net/" + name + "/ifindex", std::to_string(index));
    write("sys/class/net/" + name + "/iflink", std::to_string(link));
  }

  fs::path root_;
};

TEST_F(ContainerTest, AMachineIsNone) {
  write("proc/1/cgroup", "0::/init.scope");
  add_interface("lo", 1, 1);
  add_interface("eth0.7", 3, 2);
  EXPECT_FALSE(is_in_container_network(root_));
}

TEST_F(ContainerTest, DockerAndPodmanLeaveAFile) {
  add_interface("lo", 1, 1);
  add_interface("eth0", 2, 15);
  for (const char* file : {".dockerenv", "run/.containerenv"}) {
    write(file, "");
    EXPECT_TRUE(is_in_container_network(root_)) << file;
    fs::remove(root_ / file);
  }
}

TEST_F(ContainerTest, KubernetesNamesItsGroups) {
  write("proc/1/cgroup", "12:pids:/kubepods/burstable/pod7");
  add_interface("eth0", 3, 15);
  EXPECT_TRUE(is_in_container_network(root_));
}

TEST_F(ContainerTest, TheHostsNetworkIsNoContainersNetwork) {
  write(".dockerenv", "");
  add_interface("lo", 1, 1);
  add_interface("eth0", 2, 2);
  add_interface("veth4711", 9, 2);
  EXPECT_FALSE(is_in_container_network(root_));
}

TEST_F(ContainerTest, WithoutInterfacesThereIsNothingToWarnOf) {
  write(".dockerenv", "");
  EXPECT_FALSE(is_in_container_network(root_));
}

}  // namespace
}  // namespace runnel::daemon
