#include "core/relay/ssrc_directory.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using Holder = SsrcDirectory::Holder;

constexpr PortIndex kPort{1};

TEST(SsrcDirectory, tells_ports_apart) {
  SsrcDirectory directory(7);
  directory.add(kPort, 5, {Holder::Kind::source, 3});
  directory.add(PortIndex{2}, 5, {Holder::Kind::receiver, 4});
  EXPECT_EQ(directory.find(kPort, 5), (Holder{Holder::Kind::source, 3}));
  EXPECT_EQ(directory.find(PortIndex{2}, 5), (Holder{Holder::Kind::receiver, 4}));
  EXPECT_EQ(directory.find(kPort, 6), std::nullopt);
  directory.remove(kPort, 5);
  directory.remove(kPort, 5);
  EXPECT_EQ(directory.find(kPort, 5), std::nullopt);
  EXPECT_EQ(directory.size(), 1U);
}

TEST(SsrcDirectory, finds_everybody_however_many_come_and_go) {
  SsrcDirectory directory(99);
  std::map<std::uint32_t, std::uint32_t> expected;
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto ssrc = static_cast<std::uint32_t>(random() % 2'000);
    if (expected.contains(ssrc)) {
      directory.remove(kPort, ssrc);
      expected.erase(ssrc);
    } else {
      directory.add(kPort, ssrc, {Holder::Kind::source, i});
      expected[ssrc] = i;
    }
  }
  ASSERT_EQ(directory.size(), expected.size());
  for (std::uint32_t ssrc = 0; ssrc < 2'000; ++ssrc) {
    const auto found = directory.find(kPort, ssrc);
    const auto known = expected.find(ssrc);
    ASSERT_EQ(found.has_value(), known != expected.end()) << ssrc;
    if (found) {
      ASSERT_EQ(found->index, known->second);
    }
  }
}

}  // namespace
}  // namespace runnel::relay
