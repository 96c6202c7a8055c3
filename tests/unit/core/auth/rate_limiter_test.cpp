// How many requests and failures are taken, and when the next one will be.
#include "core/auth/rate_limiter.h"

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace runnel::auth {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kStart{std::chrono::hours(1)};

LimitKey token(std::uint64_t number) {
  return LimitKey::of_token(number);
}

TEST(RateBucket, GivesABurstAndThenTheRate) {
  const RateBucket::Rate rate{50, 100};
  RateBucket bucket;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(bucket.take(rate, kStart)) << i;
  EXPECT_EQ(bucket.take(rate, kStart), Duration(20ms));
  EXPECT_EQ(bucket.take(rate, kStart + 5ms), Duration(15ms));
  EXPECT_FALSE(bucket.take(rate, kStart + 20ms));
  EXPECT_TRUE(bucket.take(rate, kStart + 20ms));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(bucket.take(rate, kStart + 1h)) << i;
  EXPECT_TRUE(bucket.take(rate, kStart + 1h));
}

TEST(RateBucket, OneASecondAndNoBurstIsTheLeast) {
  const RateBucket::Rate rate{1, 1};
  RateBucket bucket;
  EXPECT_FALSE(bucket.take(rate, kStart));
  EXPECT_EQ(bucket.take(rate, kStart + 1ms), Duration(999ms));
  EXPECT_FALSE(bucket.take(rate, kStart + 1s));
}

TEST(RateLimiter, CountsEachKeyByItself) {
  RateLimiter limiter({1, 2}, 7);
  EXPECT_FALSE(limiter.take(token(1), kStart));
  EXPECT_FALSE(limiter.take(token(1), kStart));
  EXPECT_TRUE(limiter.take(token(1), kStart));
  EXPECT_FALSE(limiter.take(token(2), kStart));
}

TEST(RateLimiter, ForgetsWhoWasSilentLongestWhenThereAreTooMany) {
  RateLimiter limiter({1, 1}, 7, 2);
  EXPECT_FALSE(limiter.take(token(1), kStart));
  EXPECT_FALSE(limiter.take(token(2), kStart));
  EXPECT_TRUE(limiter.take(token(1), kStart));
  EXPECT_FALSE(limiter.take(token(3), kStart));  // in place of 2
  EXPECT_TRUE(limiter.take(token(1), kStart));
  EXPECT_FALSE(limiter.take(token(2), kStart));
}

TEST(FailureLimiter, LetsNFailAndThenMakesThemWaitForTheEndOfTheWindow) {
  FailureLimiter limiter(10, 1min, 7);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(limiter.wait(token(1), kStart + i * 1s)) << i;
    limiter.fail(token(1), kStart + i * 1s);
  }
  EXPECT_EQ(limiter.wait(token(1), kStart + 10s), Duration(50s));
  EXPECT_EQ(limiter.wait(token(1), kStart + 59s), Duration(1s));
  EXPECT_FALSE(limiter.wait(token(2), kStart + 10s));
  EXPECT_FALSE(limiter.wait(token(1), kStart + 60s));
}

TEST(FailureLimiter, ANewWindowBeginsWithTheNextFailure) {
  FailureLimiter limiter(2, 1min, 7);
  limiter.fail(token(1), kStart);
  limiter.fail(token(1), kStart + 2min);
  EXPECT_FALSE(limiter.wait(token(1), kStart + 2min));
  limiter.fail(token(1), kStart + 2min + 59s);
  EXPECT_EQ(limiter.wait(token(1), kStart + 2min + 59s), Duration(1s));
}

TEST(FailureLimiter, WhoOnlyAsksTakesNoPlace) {
  FailureLimiter limiter(1, 1min, 7, 1);
  limiter.fail(token(1), kStart);
  for (std::uint64_t i = 2; i < 10; ++i) EXPECT_FALSE(limiter.wait(token(i), kStart));
  EXPECT_TRUE(limiter.wait(token(1), kStart));
  limiter.fail(token(2), kStart);
  EXPECT_FALSE(limiter.wait(token(1), kStart));
}

TEST(Limiters, AllocateNothingOnceTheyAreBuilt) {
  RateLimiter rates({50, 100}, 7, 100);
  FailureLimiter failures(10, 1min, 7, 100);
  const std::size_t before = allocations;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const bool waits = rates.take(token(i % 150), kStart).has_value() ||
                       failures.wait(token(i % 150), kStart).has_value();
    if (!waits) failures.fail(token(i % 150), kStart);
  }
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace runnel::auth
