#include "core/transport/path_directory.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/unit/core/transport/tables.h"

namespace runnel::transport::test {
namespace {

TEST(PathDirectory, finds_what_was_added_until_it_is_removed) {
  for (const std::size_t buckets : {0u, 1u, 64u}) {  // all in one bucket, or spread
    PathDirectory directory(buckets);
    std::array<PeerPath, 50> entries;
    for (std::uint16_t i = 0; i < entries.size(); ++i) {
      entries[i].path = path(i);
      directory.add(entries[i]);
    }
    EXPECT_EQ(directory.size(), 50u);
    for (std::uint16_t i = 0; i < entries.size(); i += 2) directory.remove(entries[i]);
    for (std::uint16_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(directory.find(path(i)), i % 2 == 0 ? nullptr : &entries[i]);
    }
    EXPECT_EQ(directory.size(), 25u);
  }
}

TEST(PathDirectory, tells_local_ports_apart) {
  PathDirectory directory(4);
  PeerPath entry;
  entry.path = path(1);
  directory.add(entry);
  Path by_tcp = path(1);
  by_tcp.port = PortIndex{1};
  EXPECT_EQ(directory.find(by_tcp), nullptr);
}

}  // namespace
}  // namespace runnel::transport::test
