#include "core/crypto/hmac_sha1.h"

#include <deque>

#include <gtest/gtest.h>

#include "tests/unit/core/crypto/guarded_buffer.h"
#include "tests/unit/core/crypto/hex.h"
#include "tests/unit/core/crypto/openssl_reference.h"

namespace runnel::crypto {
namespace {

using test::evp_hmac_sha1;
using test::hex;
using test::noise;

using Digest = std::array<std::uint8_t, kSha1DigestSize>;

// Jobs with everything that they borrow.
class Batch {
 public:
  void add(std::vector<std::uint8_t> key, std::vector<std::uint8_t> message) {
    keys_.emplace_back(key);
    messages_.push_back(std::move(message));
    expected_.push_back(evp_hmac_sha1(key, messages_.back()));
    jobs_.push_back({&keys_.back(), messages_.back(), &digests_.emplace_back()});
  }

  [[nodiscard]] std::span<const HmacSha1Job> jobs() const { return jobs_; }

  void expect_all_right(const std::string& what) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      ASSERT_TRUE(std::equal(expected_[i].begin(), expected_[i].end(), digests_[i].begin()))
          << "message " << i << " of " << jobs_.size() << ", " << messages_[i].size()
          << " bytes: " << what;
      digests_[i].fill(0);
    }
  }

 private:
  std::deque<HmacSha1Key> keys_;
  std::deque<std::vector<std::uint8_t>> messages_;
  std::deque<Digest> digests_;
  std::vector<std::vector<std::uint8_t>> expected_;
  std::vector<HmacSha1Job> jobs_;
};

class HmacSha1Kernels : public testing::TestWithParam<HmacSha1Kernel> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor does not support " << to_string(GetParam());
    }
  }

  void expect_right(Batch& batch, const std::string& what = "") const {
    hmac_sha1(batch.jobs(), GetParam());
    batch.expect_all_right(what);
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, HmacSha1Kernels, testing::ValuesIn(kHmacSha1Kernels),
                         [](const auto& kernel) { return std::string(to_string(kernel.param)); });

TEST_P(HmacSha1Kernels, Rfc2202Section3) {
  const auto text = [](std::string_view s) {
    return std::vector<std::uint8_t>(s.begin(), s.end());
  };
  const auto repeated = [](std::size_t size, std::uint8_t byte) {
    return std::vector<std::uint8_t>(size, byte);
  };
  struct Case {
    std::vector<std::uint8_t> key, message;
    std::string_view digest;
  };
  const Case cases[] = {
      {repeated(20, 0x0b), text("Hi There"), "b617318655057264e28bc0b6fb378c8ef146be00"},
      {text("Jefe"), text("what do ya want for nothing?"),
       "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
      {repeated(20, 0xaa), repeated(50, 0xdd), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"},
      {hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), repeated(50, 0xcd),
       "4c9007f4026250c6bc8414f9bf50c86c2d7235da"},
      {repeated(20, 0x0c), text("Test With Truncation"),
       "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"},
      {repeated(80, 0xaa), text("Test Using Larger Than Block-Size Key - Hash Key First"),
       "aa4ae5e15272d00e95705637ce8a3b55ed402112"},
      {repeated(80, 0xaa),
       text("Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data"),
       "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"},
  };
  for (const Case& c : cases) {
    const HmacSha1Key key(c.key);
    Digest digest{};
    const HmacSha1Job job{&key, c.message, &digest};
    hmac_sha1({&job, 1}, GetParam());
    EXPECT_EQ(std::vector(digest.begin(), digest.end()), hex(c.digest));
  }
}

// Every length goes through every place of the widest kernel, with neighbours of other lengths.
TEST_P(HmacSha1Kernels, EqualsOpensslForEveryLength) {
  Batch batch;
  for (std::size_t size = 0; size <= 2100; ++size) {
    batch.add(noise(20, size), noise(size, size + 1));
  }
  expect_right(batch);
}

TEST_P(HmacSha1Kernels, EveryNumberOfMessagesOfOneLength) {
  for (const std::size_t size : {0u, 55u, 56u, 64u, 160u, 1216u}) {
    for (std::size_t count = 0; count <= 70; ++count) {
      Batch batch;
      for (std::size_t i = 0; i < count; ++i) {
        batch.add(noise(20, i), noise(size, i + 100));
      }
      expect_right(batch, std::to_string(count) + " messages");
    }
  }
}

TEST_P(HmacSha1Kernels, AnyMixtureOfKeysAndLengths) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Batch batch;
    const std::size_t count = random() % 150;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_long = random() % 3 == 0;
      batch.add(noise(random() % 100, random()),
                noise(random() % (is_long ? 1500 : 130), random()));
    }
    expect_right(batch, "round " + std::to_string(round));
  }
}

TEST_P(HmacSha1Kernels, AMessageMayStartAnywhereAndNothingBehindItMatters) {
  const HmacSha1Key key(noise(20, 1));
  test::GuardedBuffer buffer(300);
  for (const std::size_t size : {1u, 63u, 64u, 65u, 127u, 176u, 300u}) {
    const auto message = noise(size, 2);
    const auto expected = evp_hmac_sha1(noise(20, 1), message);
    for (std::size_t offset = 0; offset < 64; ++offset) {
      const ByteSpan area = buffer.area(size, offset);
      copy_bytes(area, message);
      Digest digest{};
      const HmacSha1Job job{&key, area, &digest};
      hmac_sha1({&job, 1}, GetParam());
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), digest.begin()))
          << size << " bytes at offset " << offset;
      ASSERT_TRUE(buffer.guards_are_intact());
    }
  }
}

TEST(HmacSha1, TheChoiceByNumberOfMessagesChangesNoResult) {
  for (std::size_t count = 0; count <= 70; ++count) {
    Batch batch;
    for (std::size_t i = 0; i < count; ++i) {
      batch.add(noise(20, i), noise(i * 37 % 400, i + 100));
    }
    hmac_sha1(batch.jobs());
    batch.expect_all_right(std::to_string(count) + " messages");
  }
}

TEST(HmacSha1Key, AnyKeyLength) {
  const auto message = noise(100, 1);
  for (std::size_t size = 0; size <= 200; ++size) {
    Batch batch;
    batch.add(noise(size, 2), message);
    hmac_sha1(batch.jobs());
    batch.expect_all_right(std::to_string(size) + " bytes of key");
  }
}

TEST(HmacSha1Key, MovingWipesTheOrigin) {
  HmacSha1Key key(noise(20, 1));
  const auto inner = key.inner();
  const auto outer = key.outer();
  HmacSha1Key moved(std::move(key));
  EXPECT_EQ(moved.inner(), inner);
  EXPECT_EQ(moved.outer(), outer);
  EXPECT_EQ(key.inner(), decltype(inner){});  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(key.outer(), decltype(outer){});  // NOLINT(bugprone-use-after-move)
  HmacSha1Key assigned(noise(20, 2));
  assigned = std::move(moved);
  EXPECT_EQ(assigned.inner(), inner);
  EXPECT_EQ(moved.inner(), decltype(inner){});  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace runnel::crypto
